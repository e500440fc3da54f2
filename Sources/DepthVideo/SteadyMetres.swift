import DepthImages
import MonocularDepth

/// Metres of the relative depth of successive frames.
///
/// Gain and shift of relative disparity are arbitrary in each frame, so they are fitted to each frame. The
/// ``MetricScale`` of the fit is smoothed over the frames of a shot.
struct SteadyMetres: Sendable, Codable {
  private var scale = SteadyValues<Double>()

  /// The map of the next frame.
  ///
  /// - Parameter isCut: Whether frames before say nothing about this one.
  mutating func next(_ comparison: MetricComparison, isCut: Bool) -> DepthMap {
    let own = comparison.scale
    let steady = scale.next([own.near, own.far, own.median], isCut: isCut)
    return comparison.metres(
      by: comparison.fit(to: MetricScale(near: steady[0], far: steady[1], median: steady[2])))
  }
}
