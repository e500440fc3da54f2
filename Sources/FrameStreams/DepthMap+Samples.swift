import DepthBase
package import DepthImages
package import PictureFiles

/// Samples of the formats that depth is streamed in.
extension DepthMap {
  /// Gray level of a pixel without a value, as a share of white: that of ``DepthMap/picture(_:near:over:)``.
  private static let missingShare: Float = 128 / 255

  /// Disparity stretched over a range, 0…`steps`.
  package func levels(_ range: ClosedRange<Float>, steps: Int) -> [UInt16] {
    let isMetres = unit == .metres
    let scale = Float(steps) / max(range.upperBound - range.lowerBound, .leastNormalMagnitude)
    let missing = UInt16(Self.missingShare * Float(steps) + 0.5)
    return values.map { value in
      guard hasValue(value) else { return missing }
      let level = ((isMetres ? 1 / value : value) - range.lowerBound) * scale + 0.5
      return UInt16(max(0, min(level, Float(steps))))
    }
  }

  /// Red, green and blue of a color map over a range of disparity.
  package func colored(_ map: ColorMap, _ range: ClosedRange<Float>) -> [UInt8] {
    let colors = map.colors
    let levels = levels(range, steps: 255)
    return filledArray(count: levels.count * 3) { out in
      for (pixel, level) in levels.enumerated() {
        let isMissing = !hasValue(values[pixel])
        for channel in 0..<3 {
          out[pixel * 3 + channel] = isMissing ? 128 : colors[Int(level) * 3 + channel]
        }
      }
    }
  }

  /// 32-bit floats, NaN without a value.
  var littleEndianMetres: [UInt8] {
    unsafe values.map { (hasValue($0) ? $0 : .nan).bitPattern.littleEndian }
      .withUnsafeBytes { unsafe Array($0) }
  }

  /// 16-bit millimetres, 0 without a value and beyond 65.535 m.
  var littleEndianMillimetres: [UInt8] {
    unsafe values.map { metres -> UInt16 in
      guard hasValue(metres), metres < SampleScale.clippedFrom else { return 0 }
      return UInt16(metres * 1000 + 0.5).littleEndian
    }.withUnsafeBytes { unsafe Array($0) }
  }
}
