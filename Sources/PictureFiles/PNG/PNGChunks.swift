import DepthBase
import DepthErrors
import DepthImages

/// The chunks of a PNG file. Compressed chunks are not unpacked.
///
/// A file may have millions of chunks, so chunks are read in place and never listed. libpng's simplified interface
/// returns no text, Exif or color profile, and ignores everything after the last pixel. This reader returns these
/// parts.
///
/// > Source: W3C PNG (Third Edition), section 5, “Datastream structure”.
package struct PNGChunks {
  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// A chunk: its four letters and the range of its data in the file.
  package struct Chunk {
    let type: String
    package let data: Range<Int>
    /// The offset of the next chunk, after the checksum.
    package var end: Int { data.upperBound + 4 }
  }

  /// The consecutive chunks of a file up to an offset.
  package struct Chunks: Sequence, IteratorProtocol {
    fileprivate let bytes: [UInt8]
    fileprivate let end: Int
    fileprivate var offset = PNGChunks.signature.count

    package mutating func next() -> Chunk? {
      guard offset < end, let chunk = PNGChunks.chunk(of: bytes, at: offset) else { return nil }
      offset = chunk.end
      return chunk
    }
  }

  /// Types of chunks for which the first chunk is read.
  private static let known: Set = [
    "IHDR", "IDAT", "IEND", "tRNS", "gAMA", "sRGB", "iCCP", "cICP", "cLLI", "eXIf", "tEXt", "zTXt",
    "iTXt", "sTER",
  ]
  /// Maximum bytes of a chunk, except for pixels.
  private static let chunkLimit = ImageMetadata.blockLimit
  /// Chunks between two checks for cancellation.
  private static let checkInterval = 1 << 16

  let bytes: [UInt8]
  /// The end of the last chunk that is read.
  private var end = 0
  private var firsts: [String: Chunk] = [:]
  /// The Exif block.
  private(set) var exif: [UInt8]?
  private(set) var width = 0
  private(set) var height = 0
  /// Bits of one sample: 1, 2, 4, 8, 16.
  private(set) var bitDepth = 0
  /// Bit 0: palette, bit 1: color, bit 2: alpha.
  private(set) var colorType = 0

  /// A file that ends after its first pixels, but not inside a pixel chunk, is left to the decoder: only IEND may be
  /// missing.
  ///
  /// - Throws: `DepthError` when a chunk up to the pixels is truncated, IHDR is not a header of at least 1×1 pixels,
  ///   or the pixels exceed the limits or the length of the file.
  init(_ bytes: [UInt8], file: String, limits: ImageLimits = ImageLimits()) throws {
    func damaged(_ reason: String) -> DepthError {
      .damaged(file: file, format: "PNG", reason: reason)
    }
    self.bytes = bytes
    let reader = ByteReader(bytes: bytes)
    var offset = Self.signature.count
    var count = 0
    repeat {
      // After Ctrl-C, a photo in progress is finished unless its file has very many chunks.
      if count > 0, count % Self.checkInterval == 0 { try Cancellation.current?.check() }
      guard let chunk = Self.chunk(of: bytes, at: offset) else {
        if firsts["IDAT"] != nil, !reader.holds("IDAT", at: offset + 4) { break }
        throw damaged("ends before its last pixel")
      }
      guard chunk.type.utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "z") ~= $0 }) else {
        throw damaged("the chunk at byte \(offset) has no name")
      }
      if Self.known.contains(chunk.type), firsts[chunk.type] == nil { firsts[chunk.type] = chunk }
      offset = chunk.end
      count += 1
      if count == 1 {
        let data = chunk.data
        guard chunk.type == "IHDR", data.count == 13 else { throw damaged("has no header") }
        guard Self.isWhole(chunk, of: bytes) else { throw damaged(Self.wrongSum(of: chunk)) }
        width = Int(reader.integer(UInt32.self, at: data.lowerBound) ?? 0)
        height = Int(reader.integer(UInt32.self, at: data.lowerBound + 4) ?? 0)
        (bitDepth, colorType) = (Int(bytes[data.lowerBound + 8]), Int(bytes[data.lowerBound + 9]))
        try limits.check(width: width, height: height, file: file)
      }
    } while firsts["IEND"] == nil
    end = offset
    guard firsts["IDAT"] != nil else { throw damaged("holds no pixels") }
    guard isPlausible else {
      throw damaged("\(bytes.count) bytes cannot hold \(width)×\(height) pixels")
    }
    exif = readExif()
  }

  /// All chunks from IHDR to IEND or to the end of the file. Bytes after IEND are ignored.
  package var chunks: Chunks { Chunks(bytes: bytes, end: end) }

  /// Returns whether the file has a chunk of a known type.
  func has(_ type: String) -> Bool { firsts[type] != nil }

  /// The chunk at an offset; `nil` if the chunk is truncated.
  package static func chunk(of bytes: [UInt8], at offset: Int) -> Chunk? {
    guard let length = ByteReader(bytes: bytes).integer(UInt32.self, at: offset),
      length <= Int32.max, offset + 12 + Int(length) <= bytes.count
    else { return nil }
    return Chunk(
      type: String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self),
      data: offset + 8..<offset + 8 + Int(length))
  }

  /// Whether the rows are in the seven passes of Adam7.
  var isInterlaced: Bool { firsts["IHDR"].map { bytes[$0.data.upperBound - 1] } == 1 }
  var hasColor: Bool { colorType & 2 != 0 }
  var hasAlpha: Bool { colorType & 4 != 0 || has("tRNS") }

  /// Samples of one pixel.
  var channels: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 1 }

  /// Whether the pixels' size is plausible: deflate compresses by at most a factor of 1032 (258 bytes to 2 bits).
  private var isPlausible: Bool {
    width * height * channels * bitDepth / 8 <= 1032 * bytes.count
  }

  /// Data of the first chunk of a known type; `nil` if the chunk is missing, too long or has a wrong checksum.
  func data(of type: String) -> [UInt8]? { firsts[type].flatMap(checked) }

  /// Keywords and texts of intact `tEXt` chunks. For each keyword, the first text applies.
  var texts: [String: String] {
    guard has("tEXt") else { return [:] }
    var result: [String: String] = [:]
    for chunk in chunks where chunk.type == "tEXt" && chunk.data.count <= Self.textLimit {
      guard let (keyword, _) = Self.text(in: bytes[chunk.data.prefix(80)]),
        DepthFileMetadata.Keyword.all.contains(keyword), result[keyword] == nil
      else { continue }
      result[keyword] = checked(chunk).flatMap { Self.text(in: $0[...])?.text }
    }
    return result
  }

  /// Keyword and text of a `tEXt` chunk's data; `nil` without a keyword.
  static func text(in data: ArraySlice<UInt8>) -> (keyword: String, text: String)? {
    guard let end = data.firstIndex(of: 0), end > data.startIndex else { return nil }
    return (latin1(data[..<end]), latin1(data[(end + 1)...]))
  }

  /// Data of a chunk; `nil` if the chunk is too long or has a wrong checksum.
  func checked(_ chunk: Chunk) -> [UInt8]? {
    chunk.data.count <= Self.chunkLimit && Self.isWhole(chunk, of: bytes)
      ? Array(bytes[chunk.data]) : nil
  }

  /// Returns whether a chunk's checksum is correct.
  private static func isWhole(_ chunk: Chunk, of bytes: [UInt8]) -> Bool {
    let reader = ByteReader(bytes: bytes)
    let sum = CRC32.checksum(bytes[chunk.data.lowerBound - 4..<chunk.data.upperBound])
    return reader.integer(UInt32.self, at: chunk.data.upperBound) == sum
  }

  /// A description of the first critical chunk with a wrong checksum; `nil` if there is none.
  static func wrongSum(in bytes: [UInt8]) -> String? {
    // The names of critical chunks begin with a capital.
    Chunks(bytes: bytes, end: bytes.count)
      .first { $0.type.first?.isUppercase == true && !isWhole($0, of: bytes) }.map(wrongSum)
  }

  private static func wrongSum(of chunk: Chunk) -> String {
    "the checksum (CRC) of its chunk \(chunk.type) at byte \(chunk.data.lowerBound - 8) is wrong; copy the file again"
  }

  /// The joined data of all pixel chunks with a correct checksum.
  var pixelStream: [UInt8] {
    var stream: [UInt8] = []
    stream.reserveCapacity(bytes.count)
    for chunk in chunks where chunk.type == "IDAT" && Self.isWhole(chunk, of: bytes) {
      stream += bytes[chunk.data]
    }
    return stream
  }

  /// The file with some of its chunks.
  func rebuilt(keeping isKept: (_ type: String) -> Bool) -> [UInt8] {
    var result = Self.signature
    result.reserveCapacity(bytes.count)
    for chunk in chunks where isKept(chunk.type) {
      result += bytes[chunk.data.lowerBound - 8..<chunk.end]
    }
    return result
  }

  /// A whole chunk: length, type, data and checksum.
  package static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return [UInt8](bigEndian: UInt32(data.count)) + body
      + [UInt8](bigEndian: CRC32.checksum(body[...]))
  }

  /// A `tEXt` chunk. The format allows only Latin-1, so `?` replaces other characters.
  static func text(_ keyword: String, _ text: String) -> [UInt8] {
    precondition(
      (1...79).contains(keyword.utf8.count), "keyword '\(keyword)', expected 1 to 79 characters")
    return chunk("tEXt", latin1(keyword) + [0] + latin1(text))
  }

  /// The chunk with the name of the writing program; empty if there is no name.
  static func software(_ name: String?) -> [UInt8] {
    name.map { text(DepthFileMetadata.Keyword.software, $0) } ?? []
  }

  private static func latin1(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { (1...255).contains($0.value) ? UInt8($0.value) : UInt8(ascii: "?") }
  }

  static func latin1(_ bytes: ArraySlice<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
    return String(text)
  }
}
