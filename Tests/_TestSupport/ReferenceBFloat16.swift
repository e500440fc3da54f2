/// bfloat16 and sums of its products as their definitions, for what the fast ones equal to the bit.
public enum ReferenceBFloat16 {
  /// The nearest value, ties to even: denormals are zeros, and what is too large is infinite.
  public static func rounded(_ x: Float) -> Float {
    guard x.isFinite else { return x }
    guard x.isNormal else { return x.sign == .minus ? -0.0 : 0 }
    // Neighbouring values are 2⁻⁷ of the power of two below apart.
    let magnitude = Double(abs(x))
    let step = Double(sign: .plus, exponent: Int(x.exponent) - 7, significand: 1)
    let nearest = Float((magnitude / step).rounded(.toNearestOrEven) * step)
    return x.sign == .minus ? -nearest : nearest
  }

  /// In which order the products of one output are added.
  public enum Order: Sendable {
    /// One chain, of each pair the odd product first: VDPBF16PS.
    case pairs
    /// TDPBF16PS: of each part of a run the odd and the even products in chains of their own from zero, then their sum, then
    /// its sum with what was before.
    case tiles
  }

  /// Σ a · b over runs of whole pairs, without denormals.
  public static func sum(_ runs: [(a: [Float], b: [Float])], _ order: Order) -> Float {
    var sum: Float = 0
    for run in runs {
      let pairs = run.a.count / 2
      switch order {
      case .pairs:
        for k in 0..<pairs {
          sum = sum.addingProduct(run.a[2 * k + 1], run.b[2 * k + 1])
          sum = sum.addingProduct(run.a[2 * k], run.b[2 * k])
        }
      case .tiles:
        // The largest part of a run that divides it and has at most 16 pairs.
        let part = (1...min(16, pairs)).last { pairs % $0 == 0 } ?? 1
        for first in stride(from: 0, to: pairs, by: part) {
          var (even, odd): (Float, Float) = (0, 0)
          for k in first..<first + part {
            even = even.addingProduct(run.a[2 * k], run.b[2 * k])
            odd = odd.addingProduct(run.a[2 * k + 1], run.b[2 * k + 1])
          }
          sum += even + odd
        }
      }
    }
    return sum
  }
}
