/// A photo's location and owner in every place that cameras and programs use for metadata. Texts
/// that must not be published contain ``needle``.
public struct LocatedPhoto: Sendable {
  public static let needle = "ATLANTIS"
  public static let copyright = "(c) A. Photographer"
  public static let date = "2024:05:06 07:08:09"
  private static let place = Array((needle + "\0").utf8)

  public var isLittleEndian: Bool

  public init(isLittleEndian: Bool = true) { self.isLittleEndian = isLittleEndian }

  /// The tags of ``exif`` that may give the location (XMP, GeoTIFF, IPTC, Photoshop, GPS, maker
  /// notes), the owner or serial numbers.
  public static let located: [UInt16] = [
    0x02BC, 0x8480, 0x8482, 0x83BB, 0x85D8, 0x8649, 0x87AF, 0x87B0, 0x87B1, 0x8825, 0x927C, 0xC634,
    0xA430, 0xA431, 0xA435, 0xC62F, 0xFDE8, 0xFDE9,
  ]

  /// An Exif block with GPS, maker notes, XMP, GeoTIFF, IPTC, a thumbnail and harmless facts.
  public var exif: [UInt8] {
    let text = { (text: String) in Array((text + "\0").utf8) }
    let degree = number(Double(48.5).bitPattern)
    let main: [(UInt16, UInt16, [UInt8])] = [
      (0x010F, 2, text("Camera Works")), (0x0112, 3, number(UInt16(1))), (0x02BC, 1, Self.place),
      (0x8298, 2, text(Self.copyright)), (0x83BB, 7, Self.place), (0x8480, 12, degree),
      (0x8482, 12, degree), (0x85D8, 12, degree), (0x8649, 7, Self.place), (0x8769, 4, []),
      (0x87AF, 3, number(UInt16(1))), (0x87B0, 12, degree), (0x87B1, 2, Self.place),
      (0x8825, 4, []), (0xC62F, 2, Self.place), (0xC634, 1, Self.place),
    ]
    let exif: [(UInt16, UInt16, [UInt8])] = [
      (0x9003, 2, text(Self.date)), (0x927C, 7, Self.place), (0xA005, 4, []),
      (0xA405, 3, number(UInt16(27))), (0xA430, 2, Self.place), (0xA431, 2, Self.place),
      (0xA435, 2, Self.place), (0xFDE8, 2, Self.place), (0xFDE9, 2, Self.place),
    ]
    let interoperability: [(UInt16, UInt16, [UInt8])] = [(0x0001, 2, text("R98"))]
    let degrees = [48, 1, 51, 1, 30, 1].flatMap { number(UInt32($0)) }
    let gps: [(UInt16, UInt16, [UInt8])] = [
      (0x0001, 2, text("N")), (0x0002, 5, degrees), (0x0003, 2, text("E")), (0x0004, 5, degrees),
      (0x001C, 7, Self.place),
    ]
    let directories = [main, exif, interoperability, gps]
    var offsets: [UInt16: Int] = [:]
    var start = 8
    for (directory, tag) in zip(directories, [0, 0x8769, 0xA005, 0x8825] as [UInt16]) {
      offsets[tag] = start
      start += 6 + directory.reduce(0) { $0 + 12 + ($1.2.count > 4 ? $1.2.count : 0) }
    }
    let thumbnail = start
    var result = Array((isLittleEndian ? "II" : "MM").utf8) + number(UInt16(42)) + number(UInt32(8))
    for (index, directory) in directories.enumerated() {
      var values: [UInt8] = []
      let behind = result.count + 6 + 12 * directory.count
      result += number(UInt16(directory.count))
      for (tag, type, value) in directory {
        let value = offsets[tag].map { number(UInt32($0)) } ?? value
        let size = [2: 1, 3: 2, 4: 4, 5: 8, 12: 8][type] ?? 1
        result += number(tag) + number(type) + number(UInt32(value.count / size))
        if value.count > 4 {
          result += number(UInt32(behind + values.count))
          values += value
        } else {
          result += value + [UInt8](repeating: 0, count: 4 - value.count)
        }
      }
      result += number(UInt32(index == 0 ? thumbnail : 0)) + values
    }
    // The thumbnail's directory, and a thumbnail with text.
    return result + number(UInt16(1)) + number(UInt16(0x0201)) + number(UInt16(4))
      + number(UInt32(1)) + number(UInt32(thumbnail + 18)) + number(UInt32(0)) + Self.place
  }

  /// JPEG segments for insertion after the first two bytes: Exif, XMP, and IPTC in Photoshop's
  /// resources.
  public var segments: [UInt8] {
    let xmp =
      "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
      + "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' "
      + "xmlns:exif='http://ns.adobe.com/exif/1.0/' "
      + "xmlns:photoshop='http://ns.adobe.com/photoshop/1.0/' exif:GPSLatitude='48,51.5N' "
      + "exif:GPSLongitude='48,51.5E' photoshop:City='\(Self.needle)'/></rdf:RDF></x:xmpmeta>"
    let city = Array(Self.needle.utf8)
    let iptc: [UInt8] = [0x1C, 2, 90, 0, UInt8(city.count)] + city
    let resources =
      Array("Photoshop 3.0\0008BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, UInt8(iptc.count)] + iptc
    return segment(0xE1, Array("Exif\0\0".utf8) + exif) + segment(0xE1, Array(xmp.utf8))
      + segment(0xED, resources + (resources.count % 2 == 0 ? [] : [0]))
  }

  /// A JPEG into which these segments are inserted.
  public func inserted(into jpeg: [UInt8]) -> [UInt8] {
    Array(jpeg[..<2]) + segments + jpeg[2...]
  }

  /// Whether bytes contain a text.
  public static func occurs(_ text: String, in bytes: [UInt8]) -> Bool {
    let wanted = Array(text.utf8)
    return bytes.indices.dropLast(wanted.count - 1).contains {
      bytes[$0] == wanted[0] && bytes[$0..<$0 + wanted.count].elementsEqual(wanted)
    }
  }

  private func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)] + body
  }

  private func number<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    let bytes = (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> T($0 * 8)) }
    return isLittleEndian ? bytes : bytes.reversed()
  }
}
