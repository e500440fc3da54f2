import DepthPhotos
import PictureFiles
package import ViewSynthesis

extension StereoPair {
  /// The pair as a multi-picture file (`.mpo`) of two JPEGs, the format of 3D cameras, screens and headsets.
  ///
  /// - Parameters:
  ///   - quality: JPEG quality of both views, 1…100.
  ///   - baseline: Distance between the eyes in metres; `nil` if unknown.
  /// - Throws: `DepthError`.
  ///
  /// > Source: CIPA DC-007, "Multi-Picture Format", sections 5.2 (index and attribute IFDs) and 6
  /// > (multi-view images, disparity).
  package func mpo(quality: Int = ImageFileFormat.defaultQuality, baseline: Double? = nil) throws
    -> [UInt8]
  {
    let codes = try [left, right].map {
      try JPEGFile($0.encoded(as: .jpeg(quality: quality)), name: "MPO")
    }
    // The length of headers does not depend on their values, so the offsets are known in advance.
    let second = MPOHeader(image: 2, baseline: baseline).attributes
    let first = MPOHeader(image: 1, baseline: baseline)
    let indexLength = first.index(sizes: (0, 0), offset: 0).count
    let leftSize = codes[0].end + indexLength + 8
    let rightCode = codes[1].inserting(MPOHeader.segment(second))
    // Offsets count from the byte-order mark of the first header.
    let origin = codes[0].insertionOffset + 8
    let index = first.index(
      sizes: (UInt32(leftSize), UInt32(rightCode.count)), offset: UInt32(leftSize - origin))
    return codes[0].inserting(MPOHeader.segment(index)) + rightCode
  }
}

/// The tables of one picture of a multi-picture file, little-endian.
struct MPOHeader {
  /// The picture's number: 1 for the left picture, 2 for the right picture.
  var image: UInt32
  var baseline: Double?

  static func segment(_ tables: [UInt8]) -> [UInt8] {
    JPEGFile.segment(0xE2, Array("MPF\0".utf8) + tables)
  }

  private enum FieldType: UInt16 {
    case long = 4
    case rational = 5
    case undefined = 7
    case signedRational = 10
  }

  /// The first picture's tables: index, entries, attributes.
  func index(sizes: (left: UInt32, right: UInt32), offset: UInt32) -> [UInt8] {
    var tables = Self.start
    let entries = UInt32(8 + 2 + 3 * 12 + 4)
    tables.append(littleEndian: UInt16(3))
    tables += field(0xB000, .undefined, 4, Array("0100".utf8))
    tables += field(0xB001, .long, 1, [2, 0, 0, 0])
    tables += field(0xB002, .undefined, 32, [UInt8](littleEndian: entries))
    tables.append(littleEndian: entries + 32)
    // The first entry is the representative picture, of type disparity. The second entry is the other
    // picture. No picture depends on the other.
    for (attributes, size, offset) in [
      (UInt32(0x2002_0002), sizes.left, UInt32(0)), (0x0002_0002, sizes.right, offset),
    ] {
      tables.append(littleEndian: attributes)
      tables.append(littleEndian: size)
      tables.append(littleEndian: offset)
      tables.append(littleEndian: UInt32(0))
    }
    return tables + attributeTable(at: entries + 32, withVersion: false)
  }

  /// The second picture's tables: attributes only.
  var attributes: [UInt8] { Self.start + attributeTable(at: 8, withVersion: true) }

  private static var start: [UInt8] { Array("II".utf8) + [42, 0, 8, 0, 0, 0] }

  private func attributeTable(at offset: UInt32, withVersion: Bool) -> [UInt8] {
    var table: [UInt8] = []
    let count: UInt16 = withVersion ? 5 : 4
    let values = offset + 2 + UInt32(count) * 12 + 4
    table.append(littleEndian: count)
    if withVersion { table += field(0xB000, .undefined, 4, Array("0100".utf8)) }
    table += field(0xB101, .long, 1, [UInt8](littleEndian: image))
    // The left picture is the base viewpoint.
    table += field(0xB204, .long, 1, [UInt8](littleEndian: UInt32(1)))
    table += field(0xB205, .signedRational, 1, [UInt8](littleEndian: values))
    table += field(0xB206, .rational, 1, [UInt8](littleEndian: values + 8))
    table.append(littleEndian: UInt32(0))
    // Parallel cameras do not converge.
    table.append(littleEndian: Int32(0))
    table.append(littleEndian: Int32(1))
    // If all bits are set, the value is unknown.
    let longest = Double(UInt32.max - 1)
    table.append(
      littleEndian: baseline.map { UInt32(min(max(0, ($0 * 1_000_000).rounded()), longest)) }
        ?? .max)
    table.append(littleEndian: baseline == nil ? UInt32.max : 1_000_000)
    return table
  }

  private func field(_ tag: UInt16, _ type: FieldType, _ count: UInt32, _ value: [UInt8]) -> [UInt8]
  {
    [UInt8](littleEndian: tag) + [UInt8](littleEndian: type.rawValue)
      + [UInt8](littleEndian: count) + value
  }
}
