import DepthImages
import DepthVideo
import MonocularDepth

/// The focal length and the metric scale of successive frames, by a network that estimates both.
///
/// A shot has one focal length: the median of those of its first frames. ln of the scale moves slowly.
struct ShotCamera: Sendable, Codable {
  private var scale = SteadyValues<Double>()
  /// Those of the shot's first frames, in units of half the diagonal.
  private var focalLengths: [Double] = []

  /// Frames at the beginning of a shot that decide about its focal length: a second of a film.
  private static let deciding = 25

  /// The estimate of the next frame.
  ///
  /// - Parameter isCut: Whether frames before say nothing about this one.
  mutating func next(_ estimate: DepthEstimate, isCut: Bool, threads: Int) -> DepthEstimate {
    guard let own = estimate.ownScale else { return estimate }
    if isCut { focalLengths = [] }
    if let focalLength = own.focalLength, focalLengths.count < Self.deciding {
      focalLengths.append(focalLength)
    }
    let sorted = focalLengths.sorted()
    return estimate.rescaled(
      focalLength: own.focalLength.map { _ in sorted[sorted.count / 2] },
      lnScale: scale.next([own.lnScale], isCut: isCut)[0], threads: threads)
  }
}
