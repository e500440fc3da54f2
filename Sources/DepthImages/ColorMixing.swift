/// Mixes two pictures in linear light: `out = clip(A · left + B · right)`, per pixel.
///
/// Only the sum is clipped: what one eye takes away with a negative number must reach what the
/// other adds, or grays get a tint.
///
/// - Parameters:
///   - left: First picture, `height · width · 3` sRGB bytes; `right` likewise.
///   - leftMatrix: `A`, nine numbers by rows (out red, green, blue); `rightMatrix` is `B`.
package func mixedInLinearLight(
  _ left: [UInt8], _ right: [UInt8], height: Int, width: Int, leftMatrix: [Float],
  rightMatrix: [Float], threads: Int
) -> [UInt8] {
  precondition(left.count == height * width * 3 && right.count == left.count)
  precondition(leftMatrix.count == 9 && rightMatrix.count == 9)
  let (a, b) = (MatrixColumns(leftMatrix), MatrixColumns(rightMatrix))
  return picture(height: height, width: width, threads: threads) { y, out in
    let row = y * width * 3..<(y + 1) * width * 3
    PictureKernels.mix(
      left.span.extracting(row), a, right.span.extracting(row), b, into: &out)
  }
}

/// A matrix of nine numbers by rows, as columns of three and an unused lane.
struct MatrixColumns {
  private let red, green, blue: SIMD4<Float>

  init(_ rows: [Float]) {
    red = SIMD4(rows[0], rows[3], rows[6], 0)
    green = SIMD4(rows[1], rows[4], rows[7], 0)
    blue = SIMD4(rows[2], rows[5], rows[8], 0)
  }

  @inline(__always)
  func times(_ r: Float, _ g: Float, _ b: Float) -> SIMD4<Float> {
    red * r + green * g + blue * b
  }
}
