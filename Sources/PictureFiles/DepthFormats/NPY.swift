import DepthBase
import DepthErrors
import DepthImages

/// NumPy array files that contain one depth map.
///
/// > Source: NumPy, `numpy.lib.format`, “Format Version 1.0”, “2.0” and “3.0”.
package enum NPY {
  private static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)

  /// Reads a map of `f2`, `f4`, `f8`, `u1` or `u2` in either byte order, C or Fortran order.
  ///
  /// Axes of length 1 before or after the map, as in the output of networks, are dropped.
  ///
  /// - Throws: `DepthError` for other types and shapes, or for a length that contradicts the
  ///   header.
  static func decode(
    _ bytes: [UInt8], file: String, limits: ImageLimits = ImageLimits()
  ) throws -> FloatGrid {
    let (description, start) = try header(of: bytes, file: file)
    guard let decoder = description.decoder else {
      throw DepthError.unsupportedFormat(
        file: file, expected: "float16, float32, float64, uint8 or uint16",
        found: "an array of type '\(description.type)'")
    }
    guard let (height, width) = description.sides else {
      throw DepthError.unsupportedFormat(
        file: file, expected: "(height, width)",
        found: "an array of shape (\(description.shape.map(String.init).joined(separator: ", ")))")
    }
    try limits.check(width: width, height: height, file: file)
    try limits.check(MemoryNeed(.depthFile, pixels: width * height), for: file)
    let (found, expected) = (bytes.count - start, width * height * decoder.element.size)
    guard found == expected else {
      throw damaged(
        "holds \(found) bytes of values, expected \(expected) for \(width)×\(height)", file)
    }
    let values = decoder.floats(bytes, from: start, count: width * height)
    return FloatGrid(
      height: height, width: width,
      values: description.isFortranOrder
        ? transposed(values, height: height, width: width) : values,
      integerMaximum: decoder.element.integerMaximum,
      stated: description.isRelative ? StoredUnit(unit: .relativeDisparity) : nil)
  }

  /// The header of a file, and the offset of the values.
  static func header(
    of bytes: [UInt8], file: String
  ) throws -> (description: NPYHeader, start: Int) {
    let reader = ByteReader(bytes: bytes, order: .little)
    guard bytes.starts(with: magic), let version = reader.integer(UInt8.self, at: 6),
      (1...3).contains(version)
    else {
      throw damaged("the format version is not 1, 2 or 3", file)
    }
    let length =
      version == 1
      ? reader.integer(UInt16.self, at: 8).map { Int($0) }
      : reader.integer(UInt32.self, at: 8).map { Int($0) }
    let start = version == 1 ? 10 : 12
    guard let length, start + length <= bytes.count else {
      throw damaged("ends inside its header", file)
    }
    let header = String(decoding: bytes[start..<start + length], as: UTF8.self)
    guard let description = NPYHeader(header) else {
      throw damaged(
        "the header '\(header.prefix(80).filter { !$0.isNewline })' is not NumPy's", file)
    }
    return (description, start + length)
  }

  private static func damaged(_ reason: String, _ file: String) -> DepthError {
    .damaged(file: file, format: "NumPy file", reason: reason)
  }

  /// The bytes of a file of version 1.0, `<f4`, C order.
  ///
  /// - Parameters:
  ///   - grid: Rows of pixels.
  ///   - shape: Shape of the array; by default the grid's height and width.
  ///   - comment: A Python comment after the dictionary.
  static func encode(_ grid: FloatGrid, shape: [Int]? = nil, comment: String = "") -> [UInt8] {
    grid.littleEndianBytes(
      after: header("<f4", shape: shape ?? [grid.height, grid.width], comment: comment))
  }

  /// The bytes before the values of a file of version 1.0 in C order.
  ///
  /// - Parameter shape: Extents of zero, two or more axes, but not of one.
  static func header(_ type: String, shape: [Int], comment: String = "") -> [UInt8] {
    let extents = shape.map(String.init).joined(separator: ", ")
    let description =
      "{'descr': '\(type)', 'fortran_order': False, 'shape': (\(extents)), }"
      + (comment.isEmpty ? "" : " \(comment)")
    // The header is padded and ends in a line feed, so that the values begin at a multiple of 64.
    let length = (10 + description.utf8.count + 1 + 63) / 64 * 64 - 10
    let padding = String(repeating: " ", count: length - description.utf8.count - 1)
    let start = magic + [1, 0, UInt8(length & 0xFF), UInt8(length >> 8)]
    return start + Array((description + padding + "\n").utf8)
  }

  /// Values in row order, from values in column order.
  private static func transposed(_ values: [Float], height: Int, width: Int) -> [Float] {
    filledArray(count: values.count) { result in
      let values = values.span
      for y in 0..<height {
        for x in 0..<width { result[y * width + x] = values[x * height + y] }
      }
    }
  }
}
