import DepthBase
import DepthImages
import DepthPhotos
import PictureFiles

/// Photos, depth files and what is inside of them.
extension FuzzTarget {
  func readPhoto(_ bytes: [UInt8]) throws {
    _ = OwnPicture.isOwn(bytes)
    let file = try PhotoFile(decoding: bytes, name: "fuzz", limits: Self.limits)
    let image = try file.image()
    try require(image.pixels.count == image.height * image.width * 3, "pixels")
    try require((image.height, image.width) == file.uprightSize, "size")
    for policy in MetadataPolicy.allCases {
      let again = try Image(
        decoding: image.withMetadata(policy).encoded(as: .jpeg()), name: "fuzz")
      try require((again.height, again.width) == (image.height, image.width), "size again")
    }
  }

  func readPNG(_ bytes: [UInt8]) throws {
    // A damaged chunk is mostly refused for its check sum: what is behind that must hold too.
    if try refusal({ try readPhoto(bytes) }) != nil { try readPhoto(PNGRepair.repaired(bytes)) }
  }

  func readHEIF(_ bytes: [UInt8]) throws {
    _ = try refusal { try readDepthPhoto(bytes) }
    try readPhoto(bytes)
  }

  func readExif(_ bytes: [UInt8]) throws {
    let metadata = ImageMetadata(decodingExif: bytes, width: 3, height: 2)
    guard metadata.exif != nil else { throw Refused() }
    for policy in MetadataPolicy.allCases {
      let reduced = metadata.reduced(to: policy)
      guard let block = reduced.exif else { continue }
      // Entries may move to even offsets, and into directories of their own.
      try require(block.count <= bytes.count * 13 / 12 + 64, "a reduced block is longer")
      let again = ImageMetadata(decodingExif: block, width: 3, height: 2)
      try require(again.exif == block, "a reduced block is none")
      try require(again.reduced(to: policy).exif == block, "reducing twice differs")
    }
  }

  func readDepthFile(_ bytes: [UInt8]) throws {
    if try refusal({ try readMap(bytes) }) != nil { try readMap(PNGRepair.repaired(bytes)) }
  }

  private func readMap(_ bytes: [UInt8]) throws {
    _ = try DepthFileMetadata(decoding: bytes, name: "fuzz")
    try use(DepthMap(decoding: bytes, name: "fuzz", limits: Self.limits))
  }

  func readDepthPhoto(_ bytes: [UInt8]) throws {
    try use(DepthPhoto.depth(decoding: bytes, name: "fuzz"))
  }

  /// What programs do with a map that they have read; a map without values is refused.
  func use(_ map: DepthMap) throws {
    try require(map.values.count == map.height * map.width, "values")
    guard map.values.count <= Self.limits.maximumPixels else { return }
    let normalized = map.normalized()
    try require(normalized.values.count == map.values.count, "normalized values")
    _ = map.picture(.turbo)
    for format in DepthFileFormat.readable {
      guard let file = try? map.encoded(as: format) else { continue }
      let again = try DepthMap(decoding: file, name: "fuzz")
      try require((again.height, again.width) == (map.height, map.width), "size again")
    }
    _ = try? map.inMetres()
    _ = try? map.inDisparity()
  }

  func readXMP(_ bytes: [UInt8]) throws {
    let info = PixelDataInfo(packet: bytes)
    if let info { try require(info.maximum > info.minimum, "the range") }
    let name = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    // The packet in the shortest JPEG that has a place for one.
    let jpeg =
      [0xFF, 0xD8] + JPEGFile.segment(0xE1, name + bytes.prefix(60_000))
      + [0xFF, 0xDA, 0, 2, 0xFF, 0xD9]
    if let refusal = try refusal({ try readDepthPhoto(jpeg) }), info == nil { throw refusal }
  }
}

/// Chunks with right check sums.
enum PNGRepair {
  /// The file with the check sum of every whole chunk made right; other bytes stay.
  static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var offset = PNGChunks.signature.count
    while let chunk = PNGChunks.chunk(of: bytes, at: offset) {
      let end = chunk.data.upperBound
      let sum = CRC32.checksum(bytes[offset + 4..<end])
      for index in 0..<4 { bytes[end + index] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * index)) }
      offset = chunk.end
    }
    return bytes
  }
}
