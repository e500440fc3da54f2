import DepthImages
import MonocularDepth

/// The conversion of relative depth of successive frames to metres.
///
/// Gain and shift of relative disparity are arbitrary in each frame, so both are fitted in each frame. The fit's
/// ``MetricScale`` is smoothed over the frames of a shot.
struct SteadyMetres: Sendable, Codable {
  private var scale = SteadyValues<Double>()

  /// The next frame's map in metres.
  ///
  /// - Parameter isCut: Whether earlier frames belong to another shot.
  mutating func next(_ comparison: MetricComparison, isCut: Bool) -> DepthMap {
    let own = comparison.scale
    let steady = scale.next([own.near, own.far, own.median], isCut: isCut)
    return comparison.metres(
      by: comparison.fit(to: MetricScale(near: steady[0], far: steady[1], median: steady[2])))
  }
}
