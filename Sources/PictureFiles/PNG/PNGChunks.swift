import DepthBase
import DepthErrors
import DepthImages

/// The chunks of a PNG file, without looking into compressed ones.
///
/// A file may have millions of them: they are read where they lie, never listed.
///
/// libpng's simplified interface decodes pixels but passes no text, no Exif and no color profile,
/// and does not look past the last pixel. This reader adds what is missing.
///
/// > Source: W3C PNG (Third Edition), section 5, “Datastream structure”.
package struct PNGChunks {
  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// One chunk: its four letters and where its data lie in the file.
  package struct Chunk {
    let type: String
    package let data: Range<Int>
    /// The beginning of the next chunk, after the check sum.
    package var end: Int { data.upperBound + 4 }
  }

  /// The chunks of a file up to an offset, one after the other.
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

  /// Chunks of which the first is read.
  private static let known: Set = [
    "IHDR", "IDAT", "IEND", "tRNS", "gAMA", "sRGB", "iCCP", "cICP", "cLLI", "eXIf", "tEXt", "zTXt",
    "iTXt", "sTER",
  ]
  /// Bytes of the longest chunk that is read, pixels excepted.
  private static let chunkLimit = ImageMetadata.blockLimit
  /// Chunks between two looks at whether the caller has given up.
  private static let checkInterval = 1 << 16

  let bytes: [UInt8]
  /// The end of the last chunk that is looked at.
  private var end = 0
  private var firsts: [String: Chunk] = [:]
  /// The Exif block.
  private(set) var exif: [UInt8]?
  private(set) var width = 0
  private(set) var height = 0
  /// Bits of one sample: 1, 2, 4, 8, 16.
  private(set) var bitDepth = 0
  /// Bit 0 palette, bit 1 color, bit 2 alpha.
  private(set) var colorType = 0

  /// A file that ends after its first pixels, but not inside of them, is left to the decoder: it may lack no more than
  /// IEND.
  ///
  /// - Throws: `DepthError` when a chunk up to the pixels is cut off, IHDR is not a header of at least 1×1 pixels,
  ///   or the pixels are too many to hold or too many for a file of this length.
  init(_ bytes: [UInt8], file: String, limits: ImageLimits = ImageLimits()) throws {
    func damaged(_ reason: String) -> DepthError {
      .damaged(file: file, format: "PNG", reason: reason)
    }
    self.bytes = bytes
    let reader = ByteReader(bytes: bytes)
    var offset = Self.signature.count
    var count = 0
    repeat {
      // A photo under way is finished after Ctrl-C; only a file of very many chunks is given up.
      if count > 0, count % Self.checkInterval == 0 { try Cancellation.current?.check() }
      guard let chunk = Self.chunk(of: bytes, at: offset) else {
        if firsts["IDAT"] != nil, !reader.holds("IDAT", at: offset + 4) { break }
        throw damaged("ends before all pixels are there")
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

  /// IHDR first, IEND last, unless the file ends before it; what follows IEND is not looked at.
  package var chunks: Chunks { Chunks(bytes: bytes, end: end) }

  /// Whether there is a chunk of a known type.
  func has(_ type: String) -> Bool { firsts[type] != nil }

  /// The chunk that begins at a byte of a file or of its beginning; `nil` where it does not end.
  package static func chunk(of bytes: [UInt8], at offset: Int) -> Chunk? {
    guard let length = ByteReader(bytes: bytes).integer(UInt32.self, at: offset),
      length <= Int32.max, offset + 12 + Int(length) <= bytes.count
    else { return nil }
    return Chunk(
      type: String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self),
      data: offset + 8..<offset + 8 + Int(length))
  }

  /// Whether the rows lie in the seven passes of Adam7.
  var isInterlaced: Bool { firsts["IHDR"].map { bytes[$0.data.upperBound - 1] } == 1 }
  var hasColor: Bool { colorType & 2 != 0 }
  var hasAlpha: Bool { colorType & 4 != 0 || has("tRNS") }

  /// Samples of one pixel.
  var channels: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 1 }

  /// Deflate shrinks at most 1032 times (258 bytes to 2 bits).
  private var isPlausible: Bool {
    width * height * channels * bitDepth / 8 <= 1032 * bytes.count
  }

  /// Data of the first chunk of a known type, if it is there, is not too long, and its check sum is right.
  func data(of type: String) -> [UInt8]? { firsts[type].flatMap(checked) }

  /// Keyword and text of whole `tEXt` chunks that the program writes; the first of a name counts.
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

  /// Data of a chunk, if it is not too long and its check sum is right.
  func checked(_ chunk: Chunk) -> [UInt8]? {
    chunk.data.count <= Self.chunkLimit && Self.isWhole(chunk, of: bytes)
      ? Array(bytes[chunk.data]) : nil
  }

  /// Whether a chunk's check sum is right.
  private static func isWhole(_ chunk: Chunk, of bytes: [UInt8]) -> Bool {
    let reader = ByteReader(bytes: bytes)
    let sum = CRC32.checksum(bytes[chunk.data.lowerBound - 4..<chunk.data.upperBound])
    return reader.integer(UInt32.self, at: chunk.data.upperBound) == sum
  }

  /// Words about the first chunk of a file that decoders need and whose check sum is wrong; `nil` without one.
  static func wrongSum(in bytes: [UInt8]) -> String? {
    // The names of chunks that decoders need begin with a capital.
    Chunks(bytes: bytes, end: bytes.count)
      .first { $0.type.first?.isUppercase == true && !isWhole($0, of: bytes) }.map(wrongSum)
  }

  private static func wrongSum(of chunk: Chunk) -> String {
    "the bytes of its chunk \(chunk.type) at byte \(chunk.data.lowerBound - 8) do not have the check sum (CRC) that "
      + "follows them, expected a file as it was written; copy it again"
  }

  /// The data of all pixel chunks, joined; those with a wrong check sum are left out.
  var pixelStream: [UInt8] {
    var stream: [UInt8] = []
    stream.reserveCapacity(bytes.count)
    for chunk in chunks where chunk.type == "IDAT" && Self.isWhole(chunk, of: bytes) {
      stream += bytes[chunk.data]
    }
    return stream
  }

  /// The same file with some of its chunks.
  func rebuilt(keeping isKept: (_ type: String) -> Bool) -> [UInt8] {
    var result = Self.signature
    result.reserveCapacity(bytes.count)
    for chunk in chunks where isKept(chunk.type) {
      result += bytes[chunk.data.lowerBound - 8..<chunk.end]
    }
    return result
  }

  /// A whole chunk: length, type, data and check sum.
  package static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return [UInt8](bigEndian: UInt32(data.count)) + body
      + [UInt8](bigEndian: CRC32.checksum(body[...]))
  }

  /// A `tEXt` chunk. The format allows Latin-1 only: other characters become `?`.
  static func text(_ keyword: String, _ text: String) -> [UInt8] {
    precondition(
      (1...79).contains(keyword.utf8.count), "keyword '\(keyword)', expected 1 to 79 characters")
    return chunk("tEXt", latin1(keyword) + [0] + latin1(text))
  }

  /// The chunk that names the program that writes the file; empty without one.
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
