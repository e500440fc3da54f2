/// The Exif block of a PNG.
///
/// > Source: W3C PNG (Third Edition), sections 11.3.3 and 11.3.5; for the texts, exiv2 (`pngchunk_int.cpp`) and
/// > ImageMagick (`png.c`, `Magick_png_write_raw_profile`).
extension PNGChunks {
  /// The block in the `eXIf` chunk, or otherwise in an older text of exiv2 or ImageMagick.
  func readExif() -> [UInt8]? {
    if let block = data(of: "eXIf").flatMap(ExifBlock.init) { return block.bytes }
    guard has("tEXt") || has("zTXt") || has("iTXt") else { return nil }
    for keyword in ["raw profile type exif", "raw profile type app1"] {
      // The profile APP1 contains Exif or XMP.
      let found = chunks.lazy.filter { isText($0, keyword) }.prefix(4)
        .compactMap { textBytes(of: $0).flatMap(Self.rawProfile).flatMap(ExifBlock.init) }.first
      if let found { return found.bytes }
    }
    return nil
  }

  /// The XMP text.
  var packet: Range<Int>? {
    guard has("iTXt") else { return nil }
    return chunks.first { isText($0, "xml:com.adobe.xmp") }?.data
  }

  /// Maximum length of a text. Exif in a JPEG has up to 64 KiB, and the text has two digits per byte.
  static let textLimit = 1 << 20

  /// Returns whether a chunk is a text with this lower-case keyword.
  private func isText(_ chunk: Chunk, _ keyword: String) -> Bool {
    let (data, count) = (chunk.data, keyword.utf8.count)
    guard data.count > count, data.count <= Self.textLimit, bytes[data.lowerBound + count] == 0
    else { return false }
    return ["tEXt", "zTXt", "iTXt"].contains(chunk.type)
      && zip(keyword.utf8, bytes[data]).allSatisfy { wanted, found in
        wanted == (UInt8(ascii: "A")...UInt8(ascii: "Z") ~= found ? found | 0x20 : found)
      }
  }

  /// The unpacked characters of a text chunk; `nil` if it is damaged.
  private func textBytes(of chunk: Chunk) -> ArraySlice<UInt8>? {
    guard let data = checked(chunk), let end = data.firstIndex(of: 0) else { return nil }
    var rest = data[(end + 1)...]
    var isCompressed = false
    switch chunk.type {
    case "zTXt":
      isCompressed = true
      rest = rest.dropFirst()
    case "iTXt":
      isCompressed = rest.first == 1
      // Flag, method, language and translated keyword.
      rest = rest.dropFirst(2)
      for _ in 0..<2 {
        guard let end = rest.firstIndex(of: 0) else { return nil }
        rest = rest[(end + 1)...]
      }
    default: break
    }
    return isCompressed ? Deflate.decompressed(rest, limit: Self.textLimit)?[...] : rest
  }

  /// The bytes of a profile in text form: a name, the number of bytes, and two hexadecimal digits per byte,
  /// separated by white space.
  private static func rawProfile(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let fields = text.split(maxSplits: 2, whereSeparator: PFM.isSpace)
    guard fields.count == 3, let count = Int(String(decoding: fields[1], as: UTF8.self)) else {
      return nil
    }
    var result: [UInt8] = []
    var high: UInt8?
    for byte in fields[2] where !PFM.isSpace(byte) {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init) else { break }
      if let first = high.take() { result.append(first << 4 | digit) } else { high = digit }
    }
    return count > 0 && result.count >= count ? Array(result.prefix(count)) : nil
  }
}
