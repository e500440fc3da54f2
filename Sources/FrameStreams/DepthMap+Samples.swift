import DepthBase
package import DepthImages
package import PictureFiles

/// Conversion of depth maps to the samples of streams.
extension DepthMap {
  /// Gray level of a pixel without a value as a share of white, as in ``DepthMap/picture(_:near:over:)``.
  private static let missingShare: Float = 128 / 255

  /// Disparity stretched over a range, 0…`steps`.
  package func levels(_ range: ClosedRange<Float>, steps: Int) -> [UInt16] {
    levels(range, steps: steps, missing: UInt16(Self.missingShare * Float(steps) + 0.5))
  }

  /// Colors of disparity in a range, as RGB of a color map.
  package func colored(_ map: ColorMap, _ range: ClosedRange<Float>) -> [UInt8] {
    colored(map.colors, range, missing: 128)
  }

  /// Metres as 32-bit floats; NaN without a value.
  var littleEndianMetres: [UInt8] {
    unsafe values.map { (hasValue($0) ? $0 : .nan).bitPattern.littleEndian }
      .withUnsafeBytes { unsafe Array($0) }
  }

  /// Millimetres as 16-bit integers; 0 without a value and beyond 65.535 m.
  var littleEndianMillimetres: [UInt8] {
    unsafe values.map { metres -> UInt16 in
      guard hasValue(metres), metres < SampleScale.clippedFrom else { return 0 }
      return UInt16(metres * 1000 + 0.5).littleEndian
    }.withUnsafeBytes { unsafe Array($0) }
  }
}
