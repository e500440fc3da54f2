package import DepthBase

/// Mixes two pictures in linear light: `out = clip(A · left + B · right)`, per pixel.
///
/// Only the sum is clipped. A negative contribution of one eye must cancel the other eye's positive contribution;
/// otherwise grays get a tint.
///
/// - Parameters:
///   - left: First picture, `height · width · 3` sRGB bytes. The second picture, `right`, has the same size.
///   - leftMatrix: The matrix `A`, nine numbers in rows for red, green and blue of the result; `rightMatrix` is
///     `B`.
package func mixedInLinearLight(
  _ left: [UInt8], _ right: [UInt8], height: Int, width: Int, leftMatrix: [Float],
  rightMatrix: [Float], isa: InstructionSet = .current, threads: Int
) -> [UInt8] {
  precondition(left.count == height * width * 3 && right.count == left.count)
  precondition(leftMatrix.count == 9 && rightMatrix.count == 9)
  let products = LightProducts(leftMatrix, rightMatrix)
  let (kernels, coded) = (PictureKernels(isa), SRGB.coded)
  return picture(height: height, width: width, threads: threads) { y, out in
    let row = y * width * 3..<(y + 1) * width * 3
    kernels.mix(
      left.span.extracting(row), right.span.extracting(row), products, coded: coded, into: &out)
  }
}

/// The contribution of each byte value of red, green and blue of two pictures to a mixture, in steps of
/// ``SRGB/coded``.
struct LightProducts: Sendable {
  /// Six tables of 256 elements. An element is a column of a matrix times the byte's light, followed by an unused
  /// float.
  let values: [Float]

  /// - Parameters:
  ///   - left: Nine numbers, row by row; `right` has the same layout.
  init(_ left: [Float], _ right: [Float]) {
    var values: [Float] = []
    values.reserveCapacity(6 * 256 * 4)
    for matrix in [left, right] {
      for column in 0..<3 {
        for light in SRGB.linear {
          for row in 0..<3 { values.append(matrix[row * 3 + column] * light * SRGB.steps) }
          values.append(0)
        }
      }
    }
    self.values = values
  }
}
