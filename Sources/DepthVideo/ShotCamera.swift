/// The focal length and metric scale of successive frames, for a network that estimates both.
///
/// A shot's focal length is the median over the first second. The logarithm of the scale is smoothed.
struct ShotCamera: Sendable, Codable {
  /// Number of estimates in a shot's first second, over which the median is taken.
  private let deciding: Int
  private var scale = SteadyValues<Double>()
  /// Focal lengths of the shot's first frames, in half diagonals.
  private var focalLengths: [Double] = []

  /// - Parameter estimatesPerSecond: Estimates per second, rounded and at least 1.
  init(estimatesPerSecond: Double) {
    deciding = Int(min(max(estimatesPerSecond, 1), 1_000).rounded())
  }

  /// Whether a saved value is valid.
  var isConsistent: Bool { deciding > 0 }

  /// The shot's focal length and scale for the next frame.
  ///
  /// - Parameters:
  ///   - focalLength: The frame's estimate; `nil` if the photo's focal length is known.
  ///   - lnScale: ln of the frame's scale.
  ///   - isCut: Whether earlier frames belong to another shot.
  mutating func next(
    focalLength: Double?, lnScale: Double, isCut: Bool
  ) -> (focalLength: Double?, lnScale: Double) {
    if isCut { focalLengths = [] }
    if let focalLength, focalLengths.count < deciding { focalLengths.append(focalLength) }
    let sorted = focalLengths.sorted()
    return (
      focalLength.map { _ in sorted[sorted.count / 2] }, scale.next([lnScale], isCut: isCut)[0]
    )
  }
}
