import DepthImages
import SystemEssentials

/// The quantity that a temporal filter smooths: ln of metres or disparity, or relative disparity as shares of a range.
///
/// A change by 0.01 has a similar meaning for both quantities: 1 % of the depth, or 1 % of the range.
struct SteadyScale: Sendable, Equatable {
  /// Relative disparity = offset + span · share; `nil` for logarithms.
  private let shares: (offset: Float, span: Float)?

  static let logarithm = SteadyScale(shares: nil)

  private init(shares: (offset: Float, span: Float)?) { self.shares = shares }

  /// The scale for the first map.
  ///
  /// The shares of relative disparity refer to the middle 98 % of the values, so that outliers have no effect.
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

  /// Bit patterns of the offset and the span; empty for logarithms.
  var saved: [UInt32] { shares.map { [$0.offset.bitPattern, $0.span.bitPattern] } ?? [] }

  init(saved: [UInt32]) {
    shares =
      saved.count == 2 ? (Float(bitPattern: saved[0]), Float(bitPattern: saved[1])) : nil
  }

  /// Whether maps have an arbitrary scale and shift. Otherwise maps may differ by a factor.
  var isRelative: Bool { shares != nil }

  static func == (a: SteadyScale, b: SteadyScale) -> Bool {
    a.shares?.offset == b.shares?.offset && a.shares?.span == b.shares?.span
  }

  /// The values of a map on this scale; NaN without a value.
  func encoded(_ depth: DepthMap) -> [Float] {
    guard let shares else { return depth.values.map { depth.hasValue($0) ? log($0) : .nan } }
    return depth.values.map {
      depth.hasValue($0) ? ($0 - shares.offset) / shares.span : .nan
    }
  }

  /// Converts values on this scale back to a map's unit.
  func decoded(_ values: [Float], as unit: DepthMap.Unit) -> [Float] {
    let missing = unit.missingValue
    guard let shares else { return values.map { $0.isNaN ? missing : exp($0) } }
    return values.map { $0.isNaN ? missing : shares.offset + shares.span * $0 }
  }
}

/// The least-squares line from the values of a map to the values of another map.
struct SteadyLine {
  /// `last ≈ slope · new + intercept`.
  private(set) var slope: Float = 1
  private(set) var intercept: Float = 0
  /// Slopes outside this range are changes of the scene, not of a network's scale between two frames.
  private static let slopes = 0.5...2.0

  /// - Parameter indices: The pixels to fit. Pixels without a value in either map are ignored.
  init(from new: [Float], to last: [Float], at indices: [Int]) {
    var (count, x, y, xx, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for index in indices where !new[index].isNaN && !last[index].isNaN {
      // Welford's update keeps precision for values far from 0.
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

  /// The value moved toward the line by a share of the distance.
  func moved(_ value: Float, by share: Float) -> Float {
    value + share * (slope * value + intercept - value)
  }
}
