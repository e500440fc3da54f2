/// Weights of Catmull–Rom interpolation (R. Keys, "Cubic convolution interpolation for digital
/// image processing", 1981, a = −1/2) for the 64 phases between two pixels. Each phase has four
/// taps, each with four equal weights (one per channel), in 1/64.
enum CatmullRom {
  static let weights: [Int16] = {
    var table = [[Int]](repeating: [0, 64, 0, 0], count: 64)
    for phase in 1...32 {
      let t = Double(phase) / 64
      let outerLeft = ((-0.5 * t + 1) * t - 0.5) * t
      let innerRight = ((-1.5 * t + 2) * t + 0.5) * t
      let outerRight = (0.5 * t - 0.5) * t * t
      let sides = [outerLeft, innerRight, outerRight].map { Int(($0 * 64).rounded()) }
      // The nearest tap absorbs the rounding errors, so that every phase preserves brightness.
      table[phase] = [sides[0], 64 - sides.reduce(0, +), sides[1], sides[2]]
    }
    for phase in 33..<64 { table[phase] = table[64 - phase].reversed() }
    return table.flatMap { $0.flatMap { [Int16](repeating: Int16($0), count: 4) } }
  }()
}
