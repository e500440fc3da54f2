import DepthImages
import DepthPhotos
import PictureFiles
import StereoPhotos
import ViewSynthesis

extension FuzzTarget {
  func depthFiles() throws -> [FuzzSeed] {
    let map = Self.map
    let files =
      try DepthFileFormat.readable.map { try map.encoded(as: $0) } + [
        map.normalized().encoded(as: .png), map.inDisparity().encoded(as: .png),
      ]
    // NumPy's other types, and columns one after the other.
    let arrays = [("<f2", 2), (">f8", 8), ("|u1", 1), ("<u2", 2)].map { type, size in
      let header =
        "{'descr': '\(type)', 'fortran_order': True, 'shape': (1, 4, 3), }".padding(to: 117) + "\n"
      return Array("\u{93}NUMPY".unicodeScalars.map { UInt8($0.value) })
        + [1, 0, UInt8(header.utf8.count), 0] + Array(header.utf8)
        + [UInt8](repeating: 0x3C, count: 12 * size)
    }
    return try files.map { FuzzSeed($0) }
      // Integers have no unit.
      + arrays.enumerated().map { FuzzSeed($0.element, isWhole: $0.offset < 2) }
      + [FuzzSeed(map.picture(.gray).encoded(as: .jpeg()), isWhole: false)]
  }

  func depthPhotos() throws -> [FuzzSeed] {
    let pair = try Self.image.stereoPair(depth: Self.map)
    return try DepthPhoto.Format.allCases.map {
      try FuzzSeed(DepthPhoto.encode(Self.describedImage, depth: Self.map, as: $0))
    } + [FuzzSeed(pair.mpo(), isWhole: false)]
  }

  /// The packets of depth photos, and one as phones attach it to a depth picture.
  func packets() throws -> [FuzzSeed] {
    let photos = try DepthPhoto.Format.allCases.map {
      try JPEGFile(
        DepthPhoto.encode(Self.image, depth: Self.map, as: $0), name: "seed"
      ).bodies(of: 0xE1, named: "http://ns.adobe.com/xap/1.0/")
    }
    let rdf = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'"
    let phone =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><!-- a --><rdf:RDF \(rdf)><rdf:Description rdf:about='' "
      + "xmlns:apdi='http://ns.apple.com/pixeldatainfo/1.0/' apdi:AuxiliaryImageType='disparity'>"
      + "<apdi:FloatMinValue>0.25</apdi:FloatMinValue><apdi:FloatMaxValue>2&#46;5</apdi:FloatMaxValue>"
      + "</rdf:Description></rdf:RDF></x:xmpmeta>"
    // Without the picture, which is in the photo and not in the packet.
    let png = try PNGParts.gray16([0, 9, 500, 65_535], height: 2, width: 2, threads: 1)
    let inside =
      "<r xmlns:GDepth='http://ns.google.com/photos/1.0/depthmap/' GDepth:Format='RangeInverse' "
      + "GDepth:Near='0.5' GDepth:Far='9' GDepth:Units='m' GDepth:Data='\(Self.base64(png))'/>"
    return photos.flatMap { $0 }.map { FuzzSeed(Array($0), isWhole: false) }
      + [FuzzSeed(Array(phone.utf8)), FuzzSeed(Array(inside.utf8))]
  }

  func libraryCalls() throws -> [FuzzSeed] {
    try LibraryCallSeed.all(file: Self.image.encoded(as: .png))
  }
}

extension String {
  fileprivate func padding(to count: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, count - utf8.count))
  }
}
