import DepthErrors
import DepthImages

/// The boxes that describe the primary picture of a HEIC or AVIF file. They are parsed before a library receives the file.
///
/// > Source: ISO/IEC 14496-12, section 12.1 (`clap`, `colr`, `clli`); ISO/IEC 23008-12, sections 6.5.3, 6.5.10 and 9.3 (`ispe`, `irot`,
/// > `ipma`); AV1-ISOBMFF, section 2.3 (`av1C`); ISO/IEC 14496-15, section 8.3.3 (`hvcC`); ITU-T H.273, table 4 (matrices).
struct HEIFHeader {
  let format: ChildDecoder.Format
  /// Rows and columns of the upright picture.
  let height, width: Int
  /// Rows and columns before the picture is rotated and cropped.
  let stored: (height: Int, width: Int)
  /// Whether a property has a type of auxiliary picture that libheif treats as depth.
  let mentionsDepth: Bool
  /// The meaning of the numbers according to boxes, or otherwise the compressed picture; `nil` if it is unspecified or there is
  /// a profile.
  let coding: ColorCoding?
  /// The code points, even if there is a profile; `nil` if they are unspecified.
  let codes: CodePoints?
  let isMonochrome: Bool
  /// The kind of the picture, for the error of a library that cannot read it.
  let kind: Kind
  /// Whether frames of a sequence follow the picture.
  let isSequence: Bool
  /// Whether the picture belongs to a group of two views.
  let isStereo: Bool
  /// The first bytes of each metadata item, such as XMP.
  let packets: [Range<Int>]

  enum Kind: Equatable {
    case usual
    /// A compression other than HEVC and AV1.
    case compressed(String)
    /// The picture is one of several layers.
    case layered
  }

  /// - Throws: `DepthError`: code `damaged` if no box contains a size, or if there are too many boxes; code `tooLarge` above
  ///   the limits; code `unsupportedFormat` for a sequence without a still picture.
  init(_ bytes: [UInt8], file: String, limits: ImageLimits) throws {
    let format: ChildDecoder.Format = FileSignature(of: bytes) == .avif ? .avif : .heic
    let boxes = ISOBoxes(bytes)
    func damaged(_ reason: String) -> DepthError {
      Self.otherKind(boxes, format, file: file)
        ?? .damaged(file: file, format: format.rawValue, reason: reason)
    }
    try boxes.checkCounts(file: file, format: format.rawValue)
    let meta = boxes.first("meta", in: 0..<bytes.count)?.dropFirst(4)
    let place = meta.flatMap { boxes.first("pitm", in: $0) }
    guard let meta else { throw damaged("it has no box 'meta'") }
    guard let primary = place.flatMap(boxes.primaryItem),
      let described = boxes.first("iprp", in: meta),
      let container = boxes.first("ipco", in: described)
    else { throw damaged("it names no primary picture") }
    let all = Array(boxes.all(in: container))
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
    // Transformations are applied in the order of the properties.
    for property in own {
      let start = property.content.lowerBound
      if boxes.isOf("irot", property), (boxes.number(UInt8.self, at: start) ?? 0) & 1 == 1 {
        swap(&width, &height)
      } else if boxes.isOf("clap", property) {
        guard let columns = boxes.rounded(at: start), let rows = boxes.rounded(at: start + 8),
          columns <= width, rows <= height
        else { throw damaged("its crop is invalid or larger than the picture") }
        (width, height) = (columns, rows)
      }
    }
    try limits.check(width: width, height: height, file: file)
    (self.format, self.height, self.width) = (format, height, width)
    isSequence = boxes.first("moov", in: 0..<bytes.count) != nil
    isStereo = boxes.isInGroup("ster", primary, in: meta)
    packets = boxes.beginnings(ofType: "mime", in: meta)
    mentionsDepth = all.contains { property in
      boxes.isOf("auxC", property)
        && (boxes.reader.contains(":auxid:2", in: property.content)
          || boxes.reader.contains(":auxiliary:depth", in: property.content))
    }

    // Tiles may have code points that the tiled picture lacks.
    let tile = boxes.first("iref", in: meta).flatMap(boxes.references)?.references
      .first { $0.type == "dimg" && $0.source == primary }?.targets.first
    let tiles = tile.map(properties) ?? []
    codes =
      boxes.codes(in: own) ?? boxes.codes(in: tiles)
      ?? boxes.streamCodePoints(of: tile ?? primary, tile == nil ? own : tiles, in: meta)
    let hasProfile =
      boxes.hasProfile(own) || boxes.codes(in: own) == nil && boxes.hasProfile(tiles)
    let brightest = boxes.brightest(in: own + tiles)
    coding = hasProfile ? nil : codes.map { ColorCoding($0, brightest: brightest) }
    isMonochrome = (own + tiles).contains(where: boxes.isMonochrome)
    let type = boxes.type(of: tile ?? primary, in: meta) ?? ""
    kind =
      if let name = Self.compressions[type] {
        .compressed(name)
      } else if own.contains(where: { boxes.isOf("lsel", $0) || boxes.isOf("a1lx", $0) }) {
        .layered
      } else { .usual }
  }

  /// Compressions that libheif does not decode at all, or only in newer versions.
  static let compressions = [
    "vvc1": "VVC", "evc1": "EVC", "avc1": "AVC", "j2k1": "JPEG 2000", "jpeg": "JPEG",
    "unci": "uncompressed samples", "lhv1": "layered HEVC",
  ]

  /// The error for a file without a readable still picture, that is, with frames of a sequence or a box `mini`; `nil` for other
  /// files.
  private static func otherKind(
    _ boxes: ISOBoxes, _ format: ChildDecoder.Format, file: String
  ) -> DepthError? {
    let article = format == .avif ? "an" : "a"
    if boxes.first("moov", in: 0..<boxes.reader.bytes.count) != nil {
      return DepthError(
        .unsupportedFormat, file: file,
        "is \(article) \(format.rawValue) sequence without a still picture, expected a still picture"
      )
    }
    if boxes.first("mini", in: 0..<boxes.reader.bytes.count) != nil {
      return DepthError(
        .unsupportedFormat, file: file,
        "is \(article) \(format.rawValue) picture in a box 'mini', expected one in a box 'meta'; convert it"
      )
    }
    return nil
  }
}

extension ISOBoxes {
  /// The quotient of two numbers, rounded to the nearest integer; `nil` unless it is positive.
  fileprivate func rounded(at offset: Int) -> Int? {
    guard let numerator = number(UInt32.self, at: offset),
      let denominator = number(UInt32.self, at: offset + 4), denominator > 0
    else { return nil }
    let quotient = (numerator + denominator / 2) / denominator
    return quotient > 0 ? quotient : nil
  }

  private func colors(_ properties: [Box], _ type: StaticString) -> Int? {
    properties.first { isOf("colr", $0) && reader.holds(type, at: $0.content.lowerBound) }
      .map(\.content.lowerBound)
  }

  fileprivate func hasProfile(_ properties: [Box]) -> Bool {
    colors(properties, "prof") != nil || colors(properties, "rICC") != nil
  }

  /// The code points of a color box.
  fileprivate func codes(in properties: [Box]) -> CodePoints? {
    guard let start = colors(properties, "nclx"),
      let primaries = number(UInt16.self, at: start + 4),
      let transfer = number(UInt16.self, at: start + 6),
      let matrix = number(UInt16.self, at: start + 8)
    else { return nil }
    return CodePoints(primaries: primaries, transfer: transfer, matrix: matrix)
  }

  /// The brightest pixel in cd/m²; 0 if unspecified.
  fileprivate func brightest(in properties: [Box]) -> Double {
    properties.first { isOf("clli", $0) }
      .flatMap { number(UInt16.self, at: $0.content.lowerBound) }.map(Double.init) ?? 0
  }

  fileprivate func isMonochrome(_ property: Box) -> Bool {
    let start = property.content.lowerBound
    if isOf("av1C", property) { return (number(UInt8.self, at: start + 2) ?? 0) & 0x10 != 0 }
    return isOf("hvcC", property) && number(UInt8.self, at: start + 16).map { $0 & 3 } == 0
  }
}
