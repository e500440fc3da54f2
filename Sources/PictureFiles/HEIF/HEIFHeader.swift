import DepthErrors
import DepthImages

/// The boxes of the primary picture of a HEIC or AVIF file, read before any library sees the file.
///
/// > Source: ISO/IEC 14496-12, section 12.1 (`clap`, `colr`, `clli`); ISO/IEC 23008-12, sections 6.5.3, 6.5.10 and 9.3 (`ispe`, `irot`,
/// > `ipma`); AV1-ISOBMFF, section 2.3 (`av1C`); ISO/IEC 14496-15, section 8.3.3 (`hvcC`).
struct HEIFHeader {
  let format: ChildDecoder.Format
  /// Rows and columns of the upright picture.
  let height, width: Int
  /// Rows and columns before the picture is turned and cropped.
  let stored: (height: Int, width: Int)
  /// Whether a property has one of the types of auxiliary pictures that libheif takes for depth.
  let mentionsDepth: Bool
  /// The meaning of the numbers; `nil` if the file does not say it, or has a profile.
  let coding: ColorCoding?
  let isMonochrome: Bool
  /// The kind of the picture, for errors of libraries that cannot read it.
  let kind: Kind

  enum Kind: Equatable {
    case usual
    /// Its compression is neither HEVC nor AV1.
    case compressed(String)
    /// One of several layers is shown.
    case layered
  }

  /// - Throws: `DepthError` with code `damaged` when the boxes lead to no size, `tooLarge`, `unsupportedFormat` for a sequence without a
  ///   still picture.
  init(_ bytes: [UInt8], file: String, limits: ImageLimits) throws {
    let format: ChildDecoder.Format = FileSignature(of: bytes) == .avif ? .avif : .heic
    func damaged(_ reason: String) -> DepthError {
      .damaged(file: file, format: format.rawValue, reason: reason)
    }
    let boxes = ISOBoxes(bytes)
    let meta = boxes.first("meta", in: 0..<bytes.count)?.dropFirst(4)
    let place = meta.flatMap { boxes.first("pitm", in: $0) }
    if place == nil, boxes.areWhole { try Self.requireStill(boxes, format, file: file) }
    guard let meta else { throw damaged("it has no box 'meta'") }
    guard let primary = place.flatMap(boxes.primaryItem),
      let described = boxes.first("iprp", in: meta),
      let container = boxes.first("ipco", in: described)
    else { throw damaged("it names no primary picture") }
    let all = boxes.all(in: container)
    let associations = boxes.all(in: described).filter { boxes.isOf("ipma", $0) }
    func properties(of item: Int) -> [ISOBoxes.Box] {
      associations.flatMap { boxes.properties(of: item, in: $0.content) }
        .compactMap { $0 > 0 && $0 <= all.count ? all[$0 - 1] : nil }
    }
    let own = properties(of: primary)
    guard let extents = own.first(where: { boxes.isOf("ispe", $0) })?.content.lowerBound,
      var width = boxes.number(UInt32.self, at: extents + 4),
      var height = boxes.number(UInt32.self, at: extents + 8)
    else { throw damaged("its primary picture has no size") }
    try limits.check(width: width, height: height, file: file)
    stored = (height, width)
    // In their order.
    for property in own {
      let start = property.content.lowerBound
      if boxes.isOf("irot", property), (boxes.number(UInt8.self, at: start) ?? 0) & 1 == 1 {
        swap(&width, &height)
      } else if boxes.isOf("clap", property) {
        guard let columns = boxes.rounded(at: start), let rows = boxes.rounded(at: start + 8),
          columns <= width, rows <= height
        else { throw damaged("it is cropped to no part of it") }
        (width, height) = (columns, rows)
      }
    }
    try limits.check(width: width, height: height, file: file)
    (self.format, self.height, self.width) = (format, height, width)
    mentionsDepth =
      boxes.reader.contains(":auxid:2", in: container)
      || boxes.reader.contains(":auxiliary:depth", in: container)

    // The tiles of a tiled picture may state more.
    let tile = boxes.first("iref", in: meta).flatMap(boxes.references)?.references
      .first { $0.type == "dimg" && $0.source == primary }?.targets.first
    let tiles = tile.map(properties) ?? []
    coding = boxes.coding(in: own) ?? (boxes.hasColor(own) ? nil : boxes.coding(in: tiles))
    isMonochrome = (own + tiles).contains(where: boxes.isMonochrome)
    let type = boxes.itemTypes(in: meta)[tile ?? primary] ?? ""
    kind =
      if let name = Self.compressions[type] {
        .compressed(name)
      } else if own.contains(where: { boxes.isOf("lsel", $0) || boxes.isOf("a1lx", $0) }) {
        .layered
      } else { .usual }
  }

  /// Compressions of pictures that no libheif, or only a newer one, decodes.
  static let compressions = [
    "vvc1": "VVC", "evc1": "EVC", "avc1": "AVC", "j2k1": "JPEG 2000", "jpeg": "JPEG",
    "unci": "uncompressed samples", "lhv1": "layered HEVC",
  ]

  /// - Throws: `DepthError` with code `unsupportedFormat` for a file whose pictures are frames of a film, or in a box `mini`.
  private static func requireStill(
    _ boxes: ISOBoxes, _ format: ChildDecoder.Format, file: String
  ) throws {
    let top = boxes.all(in: 0..<boxes.reader.bytes.count)
    let article = format == .avif ? "an" : "a"
    if top.contains(where: { boxes.isOf("moov", $0) }) {
      throw DepthError(
        .unsupportedFormat, file: file,
        "is \(article) \(format.rawValue) sequence without a still picture, expected a still picture"
      )
    }
    if top.contains(where: { boxes.isOf("mini", $0) }) {
      throw DepthError(
        .unsupportedFormat, file: file,
        "is \(article) \(format.rawValue) picture in a box 'mini', expected one in a box 'meta'; convert it"
      )
    }
  }
}

extension ISOBoxes {
  /// A positive quotient of two numbers, to the nearest integer.
  fileprivate func rounded(at offset: Int) -> Int? {
    guard let numerator = number(UInt32.self, at: offset),
      let denominator = number(UInt32.self, at: offset + 4), denominator > 0
    else { return nil }
    let quotient = (numerator + denominator / 2) / denominator
    return quotient > 0 ? quotient : nil
  }

  fileprivate func hasColor(_ properties: [Box]) -> Bool {
    properties.contains { isOf("colr", $0) }
  }

  /// Code points of a picture without a profile.
  fileprivate func coding(in properties: [Box]) -> ColorCoding? {
    let colors = properties.filter { isOf("colr", $0) }.map(\.content.lowerBound)
    guard let start = colors.first(where: { reader.holds("nclx", at: $0) }),
      !colors.contains(where: { reader.holds("prof", at: $0) || reader.holds("rICC", at: $0) }),
      let primaries = number(UInt16.self, at: start + 4),
      let transfer = number(UInt16.self, at: start + 6)
    else { return nil }
    let light = properties.first { isOf("clli", $0) }
      .flatMap { number(UInt16.self, at: $0.content.lowerBound) }
    // Decoders give the full range.
    return ColorCoding(
      primaries: primaries, transfer: transfer, brightest: Double(light ?? 0))
  }

  fileprivate func isMonochrome(_ property: Box) -> Bool {
    let start = property.content.lowerBound
    if isOf("av1C", property) { return (number(UInt8.self, at: start + 2) ?? 0) & 0x10 != 0 }
    return isOf("hvcC", property) && number(UInt8.self, at: start + 16).map { $0 & 3 } == 0
  }
}
