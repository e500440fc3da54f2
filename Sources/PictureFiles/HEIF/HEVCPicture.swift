import DepthBase
import DepthErrors
package import DepthImages
import SystemEssentials

#if Codecs
  import CDepthBase
#endif

/// An item of a HEIC file: a picture compressed as HEVC.
package struct HEVCPicture: Sendable {
  /// The item's properties as complete boxes, for configuration, size and colors.
  package var properties: [[UInt8]]
  /// The compressed picture.
  let content: [UInt8]

  package init(properties: [[UInt8]], content: [UInt8]) {
    (self.properties, self.content) = (properties, content)
  }

  /// Memory per compressed pixel: copies in libheif and x265.
  package static let bytesPerPixel = 20.0

  /// Compresses a picture by libheif, and extracts the compressed picture from libheif's file. The color profile becomes a
  /// property.
  ///
  /// - Parameter quality: 1…100 on libheif's scale.
  /// - Throws: `DepthError` with code `unsupportedFormat` if libheif or its encoder is not installed or rejects the picture.
  package init(compressing image: Image, quality: Int) throws {
    guard ImageFileFormat.qualities.contains(quality) else {
      throw Self.failure("the quality is \(quality), expected 1 to 100")
    }
    try Self.requireEncoder()
    try MemoryNeed(bytes: Int(Self.bytesPerPixel) * image.height * image.width).require(
      for: "compressing a view")
    #if Codecs
      var encoded = unsafe cdc_encoded()
      defer { unsafe free(encoded.bytes) }
      guard
        unsafe cdc_encode_heic(
          image.pixels, Int32(image.width), Int32(image.height), Int32(quality), &encoded)
      else {
        let text = unsafe withUnsafeBytes(of: encoded.message) {
          unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        throw Self.failure(ChildDecoder.words(text))
      }
      let file = unsafe Array(UnsafeBufferPointer(start: encoded.bytes, count: encoded.count))
    #else
      let file: [UInt8] = []
    #endif
    let boxes = ISOBoxes(file)
    guard let meta = boxes.first("meta", in: 0..<file.count)?.dropFirst(4),
      case let items = boxes.items(in: meta).filter({ $0.type == "hvc1" }), items.count == 1,
      let described = boxes.first("iprp", in: meta),
      let container = boxes.first("ipco", in: described),
      let associations = boxes.first("ipma", in: described),
      let place = boxes.beginning(of: items[0].id, in: meta, length: file.count)
    else { throw Self.failure("libheif did not write one picture") }
    let all = boxes.all(in: container).map { Array(file[$0.type - 4..<$0.content.upperBound]) }
    properties = boxes.properties(of: items[0].id, in: associations)
      .compactMap { all.indices.contains($0 - 1) ? all[$0 - 1] : nil }
    content = Array(file[place])
    if !has("pixi") { describe(by: .fullBox("pixi", [3, 8, 8, 8])) }
    // libheif assumes sRGB and full-range BT.601 for pixels without a color box.
    if !has("colr") { describe(by: .box("colr", "nclx".utf8 + [0, 1, 0, 13, 0, 6, 0x80])) }
    if let profile = image.metadata.iccProfile, !profile.isEmpty {
      describe(by: .box("colr", "prof".utf8 + profile))
    }
    // The file stores whole blocks; `clap` selects the visible part.
    let stored = storedSize(of: image)
    if stored != (image.height, image.width), !has("clap") {
      let (across, down) = (image.width - stored.width, image.height - stored.height)
      properties.append(
        .box(
          "clap",
          [image.width, 1, image.height, 1, across, 2, down, 2]
            .flatMap { [UInt8](bigEndian: Int32($0)) }))
    }
  }

  /// Adds a property of the compressed picture before the transforming properties.
  package mutating func describe(by property: [UInt8]) {
    let place = properties.firstIndex { $0.dropFirst(4).starts(with: "clap".utf8) }
    properties.insert(property, at: place ?? properties.endIndex)
  }

  private func has(_ type: String) -> Bool {
    properties.contains { $0.dropFirst(4).starts(with: type.utf8) }
  }

  /// Rows and columns of the compressed picture, at least the rows and columns of the visible part.
  package func storedSize(of image: Image) -> (height: Int, width: Int) {
    let boxes = ISOBoxes(properties.flatMap(\.self))
    guard let start = boxes.first("ispe", in: 0..<boxes.reader.bytes.count)?.lowerBound,
      let width = boxes.number(UInt32.self, at: start + 4),
      let height = boxes.number(UInt32.self, at: start + 8), min(width, height) > 0
    else { return (image.height, image.width) }
    return (height, width)
  }

  /// - Throws: `DepthError` with code `unsupportedFormat` if libheif or its encoder is not installed.
  package static func requireEncoder() throws {
    #if Codecs
      guard cdc_load_heif(), cdc_has_hevc_encoder() else {
        throw failure(
          "needs libheif with an encoder of HEVC; install it, as with 'apt install libheif1 libheif-plugin-x265' "
            + "(in Debian 12, libheif1 has it)")
      }
    #else
      throw DepthError.withoutCodecs(format: "HEIC", file: nil)
    #endif
  }

  private static func failure(_ reason: String) -> DepthError {
    .unencodable(format: "HEIC", reason: reason)
  }
}
