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
    /// One chain of pairs, BFMMLA: the two products' sum, and its sum with what was before, both rounded to odd.
    case oddPairs
  }

  /// a + b rounded to odd: toward zero, and to an odd last bit if that loses anything.
  private static func oddSum(_ a: Double, _ b: Double) -> Float {
    let sum = a + b
    let second = sum - a
    let lost = (a - (sum - second)) + (b - second)
    // What rounding to 64 bits lost may be on the other side of the sum.
    let isBeyond = lost != 0 && (lost < 0) != (sum < 0)
    let bounded = isBeyond ? (sum < 0 ? sum.nextUp : sum.nextDown) : sum
    var truncated = Float(bounded)
    if abs(Double(truncated)) > abs(bounded) {
      truncated = truncated < 0 ? truncated.nextUp : truncated.nextDown
    }
    let isExact = Double(truncated) == sum && lost == 0
    return isExact ? truncated : Float(bitPattern: truncated.bitPattern | 1)
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
      case .oddPairs:
        for k in 0..<pairs {
          func product(_ i: Int) -> Double { Double(run.a[i]) * Double(run.b[i]) }
          let both = oddSum(product(2 * k), product(2 * k + 1))
          sum = oddSum(Double(sum), Double(both))
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
