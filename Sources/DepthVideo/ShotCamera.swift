/// The focal length and the metric scale of successive frames, by a network that estimates both.
///
/// A shot has one focal length: the median of those of its first second. ln of the scale moves slowly.
struct ShotCamera: Sendable, Codable {
  /// The number of estimates in a shot's first second, whose median is its focal length.
  private let deciding: Int
  private var scale = SteadyValues<Double>()
  /// Those of the shot's first frames, in units of half the diagonal.
  private var focalLengths: [Double] = []

  /// - Parameter estimatesPerSecond: Rounded, and at least 1.
  init(estimatesPerSecond: Double) {
    deciding = Int(min(max(estimatesPerSecond, 1), 1_000).rounded())
  }

  /// Whether a saved one can go on.
  var isConsistent: Bool { deciding > 0 }

  /// The shot's focal length and scale for the next frame.
  ///
  /// - Parameters:
  ///   - focalLength: The frame's own; `nil` where the photo's is known.
  ///   - lnScale: ln of the frame's own scale.
  ///   - isCut: Whether frames before say nothing about this one.
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
