import DepthBase
import DepthImages
import Testing
import _TestSupport

@Suite struct BicubicInputTests {
  /// The formula in 64-bit floats, tap by tap.
  static func reference(_ photo: Image, height: Int, width: Int) -> [Double] {
    func weight(_ d: Double) -> Double {
      let d = abs(d)
      return d <= 1
        ? 1.25 * d * d * d - 2.25 * d * d + 1 : -0.75 * (d * d * d - 5 * d * d + 8 * d - 4)
    }
    return (0..<height).flatMap { y in
      (0..<width).flatMap { x in
        (0..<3).map { c in
          let (v, u) = (
            (Double(y) + 0.5) * Double(photo.height) / Double(height) - 0.5,
            (Double(x) + 0.5) * Double(photo.width) / Double(width) - 0.5
          )
          var sum = 0.0
          for row in Int(v.rounded(.down)) - 1...Int(v.rounded(.down)) + 2 {
            for column in Int(u.rounded(.down)) - 1...Int(u.rounded(.down)) + 2 {
              let (r, q) = (
                min(max(row, 0), photo.height - 1), min(max(column, 0), photo.width - 1)
              )
              sum +=
                weight(v - Double(row)) * weight(u - Double(column))
                * Double(photo.pixels[(r * photo.width + q) * 3 + c])
            }
          }
          return sum
        }
      }
    }
  }

  @Test(
    "bicubic resampling equals the formula with a = -0.75", arguments: InstructionSet.supported,
    [(7, 9, 12, 20), (30, 40, 14, 28), (1, 1, 3, 5), (2, 65, 9, 33), (48, 64, 48, 64)])
  func equalsTheFormula(
    set: InstructionSet, size: (height: Int, width: Int, toHeight: Int, toWidth: Int)
  ) {
    expectResampling(bicubicInput, on: set, size, absolute: 2e-3) {
      Self.reference($0, height: $1, width: $2)
    }
  }

  @Test("bicubic overshoot beside an edge is not clamped") func keepsOvershoot() {
    let edge = Image(
      height: 1, width: 8,
      pixels: (0..<8).flatMap { [UInt8](repeating: $0 < 4 ? 0 : 255, count: 3) })
    let found = bicubicInput(
      edge, height: 1, width: 16, scale: [1, 1, 1], mean: [0, 0, 0], threads: 1)
    #expect((found.min() ?? 0) < -5 && (found.max() ?? 0) > 260)
  }
}
