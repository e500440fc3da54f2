import DepthBase
import DepthImages
import Testing
import _TestSupport

@Suite struct AntialiasedInputTests {
  /// The formula in 64-bit floats, which resamples columns first, then rows.
  private static func reference(_ photo: Image, height: Int, width: Int) -> [Double] {
    func taps(_ index: Int, _ from: Int, _ to: Int) -> [(pixel: Int, weight: Double)] {
      let step = Double(from) / Double(to)
      let center = step * (Double(index) + 0.5)
      let reach = max(step, 1)
      var taps: [(pixel: Int, weight: Double)] = []
      for pixel in 0..<from {
        let weight = 1 - abs(Double(pixel) + 0.5 - center) / reach
        if weight > 0 { taps.append((pixel, weight)) }
      }
      let total = taps.reduce(0) { $0 + $1.weight }
      return taps.map { ($0.pixel, $0.weight / total) }
    }
    var values: [Double] = []
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<3 {
          var sum = 0.0
          for row in taps(y, photo.height, height) {
            for column in taps(x, photo.width, width) {
              let index = (row.pixel * photo.width + column.pixel) * 3 + channel
              sum += row.weight * column.weight * Double(photo.pixels[index])
            }
          }
          values.append(sum)
        }
      }
    }
    return values
  }

  @Test(
    "antialiased resampling equals the formula of a triangle filter",
    arguments: InstructionSet.supported,
    [
      (7, 9, 12, 20), (30, 40, 14, 28), (1, 1, 3, 5), (65, 2, 9, 33), (48, 64, 48, 64),
      (90, 71, 14, 14),
    ])
  func equalsTheFormula(
    set: InstructionSet, size: (height: Int, width: Int, toHeight: Int, toWidth: Int)
  ) {
    expectResampling(antialiasedInput, on: set, size, absolute: 5e-4) {
      Self.reference($0, height: $1, width: $2)
    }
  }
}
