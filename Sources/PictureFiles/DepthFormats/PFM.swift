import DepthBase
import DepthErrors
import DepthImages

/// Portable float map: `Pf`, sides, scale, then rows of 32-bit floats, beginning with the bottom row.
///
/// Photoshop writes width and height on separate lines. Its files begin with the top row.
///
/// The sign of the scale determines the byte order: negative for little-endian. The scale's magnitude is ignored,
/// since data sets store a display scale there, but their numbers are unscaled.
///
/// > Source: P. Debevec, “PFM Portable FloatMap Image Format”.
package enum PFM {
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  /// - Throws: `DepthError` for a color map, and for a length that contradicts the header.
  static func decode(
    _ bytes: [UInt8], file: String, limits: ImageLimits = ImageLimits()
  ) throws -> FloatGrid {
    func damaged(_ reason: String) -> DepthError {
      .damaged(file: file, format: "PFM", reason: reason)
    }
    var offset = 0
    func word() throws -> String {
      while offset < bytes.count, isSpace(bytes[offset]) { offset += 1 }
      let end = bytes[offset...].prefix(64).firstIndex(where: isSpace)
      guard let end, end > offset else { throw damaged("ends inside its header") }
      defer { offset = end }
      return String(decoding: bytes[offset..<end], as: UTF8.self)
    }
    func side(_ name: String) throws -> Int {
      let text = try word()
      guard let side = Int(text), side >= 0 else {
        throw damaged("the \(name) is '\(text)', expected a whole number")
      }
      return side
    }
    let type = try word()
    guard type == "Pf" else {
      throw DepthError.unsupportedFormat(
        file: file, expected: "a PFM map of one channel (Pf)", found: "a color PFM map (\(type))")
    }
    let width = try side("width")
    let heightOffset = offset
    let height = try side("height")
    let isTopDown = bytes[heightOffset..<offset].contains { $0 == 0x0A || $0 == 0x0D }
    try limits.check(width: width, height: height, file: file)
    try limits.check(MemoryNeed(.depthFile, pixels: width * height), for: file)
    let scaleText = try word()
    guard let scale = Float(scaleText), scale.isFinite, scale != 0 else {
      throw damaged("the scale is '\(scaleText)', expected a number other than 0")
    }
    let start = startOfValues(bytes, after: offset, count: width * height * 4)
    guard bytes.count - start == width * height * 4 else {
      throw damaged(
        "holds \(bytes.count - start) bytes of values, expected \(width * height * 4) "
          + "for \(width)×\(height)")
    }
    let decoder = NumberDecoder(element: .f4, order: scale < 0 ? .little : .big)
    let values = decoder.floats(bytes, from: start, count: width * height)
    return FloatGrid(
      height: height, width: width,
      values: isTopDown ? values : flipped(values, width: width),
      stated: scaleText == relativeScale ? StoredUnit(unit: .relativeDisparity) : nil)
  }

  /// The offset of the values. One white space follows the scale. Blanks and a line end (LF or CR LF) are accepted
  /// if exactly `count` bytes follow.
  private static func startOfValues(_ bytes: [UInt8], after scale: Int, count: Int) -> Int {
    let start = bytes.count - count
    guard start > scale + 1 else { return scale + 1 }
    var between = bytes[scale..<start]
    if between.last == 0x0A { between.removeLast() }
    if between.last == 0x0D { between.removeLast() }
    return between.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? start : scale + 1
  }

  /// The bytes of a file with numbers other than depth.
  ///
  /// - Precondition: `height · width` values, row 0 at the top.
  package static func file(_ values: [Float], height: Int, width: Int) -> [UInt8] {
    precondition(
      values.count == height * width, "\(values.count) values, expected \(height * width)")
    return encode(FloatGrid(height: height, width: width, values: values))
  }

  /// The scale that marks relative disparity. It is a distinct spelling of a usual scale, which other readers
  /// accept.
  private static let relativeScale = "-1.0e0"

  /// - Parameter isRelative: Whether the numbers are relative disparity.
  static func encode(_ grid: FloatGrid, isRelative: Bool = false) -> [UInt8] {
    let scale = isRelative ? relativeScale : "-1.0"
    return grid.littleEndianBytes(
      after: Array("Pf\n\(grid.width) \(grid.height)\n\(scale)\n".utf8), bottomRowFirst: true)
  }

  /// The rows in reverse order.
  private static func flipped(_ values: [Float], width: Int) -> [Float] {
    var result: [Float] = []
    result.reserveCapacity(values.count)
    for end in stride(from: values.count, to: 0, by: -width) { result += values[end - width..<end] }
    return result
  }
}
