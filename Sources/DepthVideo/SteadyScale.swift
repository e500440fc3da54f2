import DepthImages
import SystemEssentials

/// The quantity that a temporal filter smooths: the logarithm of metres or disparity, or relative disparity as shares of a range.
///
/// A change of a hundredth means about as much in either: 1 % of the depth, or of the range.
struct SteadyScale: Sendable, Equatable {
  /// Relative disparity = offset + span · share; `nil` for logarithms.
  private let shares: (offset: Float, span: Float)?

  static let logarithm = SteadyScale(shares: nil)

  private init(shares: (offset: Float, span: Float)?) { self.shares = shares }

  /// The scale for a map after which nothing is known of others.
  ///
  /// The shares of relative disparity count from its middle 98 %, so that a few pixels do not decide.
  init(for depth: DepthMap) {
    guard depth.unit == .relativeDisparity else {
      self = .logarithm
      return
    }
    let values = depth.values.filter(depth.hasValue)
    guard !values.isEmpty else {
      shares = (0, 1)
      return
    }
    let rank = values.count / 100
    let low = sortedElement(of: values, at: rank)
    let high = sortedElement(of: values, at: values.count - 1 - rank)
    shares = (low, max(high - low, abs(high) * 1e-6, .leastNormalMagnitude))
  }

  /// Bits of the offset and of the span; empty for logarithms.
  var saved: [UInt32] { shares.map { [$0.offset.bitPattern, $0.span.bitPattern] } ?? [] }

  init(saved: [UInt32]) {
    shares =
      saved.count == 2 ? (Float(bitPattern: saved[0]), Float(bitPattern: saved[1])) : nil
  }

  /// Whether two maps differ by a scale and a shift that mean nothing; otherwise by a factor.
  var isRelative: Bool { shares != nil }

  static func == (a: SteadyScale, b: SteadyScale) -> Bool {
    a.shares?.offset == b.shares?.offset && a.shares?.span == b.shares?.span
  }

  /// NaN without a value.
  func encoded(_ depth: DepthMap) -> [Float] {
    guard let shares else { return depth.values.map { depth.hasValue($0) ? log($0) : .nan } }
    return depth.values.map {
      depth.hasValue($0) ? ($0 - shares.offset) / shares.span : .nan
    }
  }

  /// The values of a map of that unit.
  func decoded(_ values: [Float], as unit: DepthMap.Unit) -> [Float] {
    let missing = unit.missingValue
    guard let shares else { return values.map { $0.isNaN ? missing : exp($0) } }
    return values.map { $0.isNaN ? missing : shares.offset + shares.span * $0 }
  }
}

/// The line that takes one map's numbers nearest to another's, by least squares.
struct SteadyLine {
  /// `last ≈ slope · new + intercept`.
  private(set) var slope: Float = 1
  private(set) var intercept: Float = 0
  /// Slopes beyond these are no change of a network's scale between two frames, but of the scene.
  private static let slopes = 0.5...2.0

  /// - Parameter indices: Pixels that count; those without a value in either map do not.
  init(from new: [Float], to last: [Float], at indices: [Int]) {
    var (count, x, y, xx, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for index in indices where !new[index].isNaN && !last[index].isNaN {
      // Welford's update: values may lie far from 0.
      count += 1
      let before = Double(new[index]) - x
      x += before / count
      y += (Double(last[index]) - y) / count
      xx += before * (Double(new[index]) - x)
      xy += before * (Double(last[index]) - y)
    }
    guard count > 0 else { return }
    let fitted = xx > 1e-6 * count ? xy / xx : 1
    let slope = min(max(fitted, Self.slopes.lowerBound), Self.slopes.upperBound)
    (self.slope, intercept) = (Float(slope), Float(y - slope * x))
  }

  /// A value moved by a share of the way to the line.
  func moved(_ value: Float, by share: Float) -> Float {
    value + share * (slope * value + intercept - value)
  }
}
