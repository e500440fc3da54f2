import DepthBase
import DepthImages
import Testing
import _TestSupport

/// A resampling of photos for networks, such as `bicubicInput`.
typealias InputResampling = (
  _ image: Image, _ height: Int, _ width: Int, _ scale: [Float], _ mean: [Float], _ threads: Int,
  _ isa: InstructionSet
) -> [Float]

/// The sizes of a photo and of a network's input.
typealias InputSizes = (height: Int, width: Int, toHeight: Int, toWidth: Int)

/// Compares a resampling with the 64-bit formula, and with results of other thread counts.
func expectResampling(
  _ resampling: InputResampling, on set: InstructionSet, _ size: InputSizes, absolute: Double,
  equals formula: (_ photo: Image, _ height: Int, _ width: Int) -> [Double]
) {
  let photo = testImage(height: size.height, width: size.width)
  let scale: [Float] = [0.5, 2, 1 / 57]
  let mean: [Float] = [1, 0, -3]
  let expected = formula(photo, size.toHeight, size.toWidth).enumerated()
    .map { $1 * Double(scale[$0 % 3]) - Double(mean[$0 % 3]) }
  func result(threads: Int) -> [Float] {
    resampling(photo, size.toHeight, size.toWidth, scale, mean, threads, set)
  }
  let one = result(threads: 1)
  expectClose(one, expected, absolute: absolute)
  for threads in 2...3 { #expect(result(threads: threads) == one) }
}
