public import SystemEssentials

/// Weights files that make one estimate together.
///
/// ```swift
/// let small = try DepthEstimator(WeightsSelection(named: "compact"))
/// let averaging = try DepthEstimator(WeightsSelection(files: [url], averagesMirrored: true))
/// ```
public struct WeightsSelection: Sendable, Hashable {
  /// One file for each network.
  public var files: [URL]
  /// Whether each network sees the photo's mirror image as well.
  public var averagesMirrored: Bool

  /// - Parameters:
  ///   - files: One file for each network.
  ///   - averagesMirrored: Whether each network sees the photo's mirror image as well.
  public init(files: [URL], averagesMirrored: Bool = false) {
    (self.files, self.averagesMirrored) = (files, averagesMirrored)
  }

  /// The name in tables: `fcrn18-nyu-int8+mirrored`.
  package var name: String {
    (files.map { $0.deletingPathExtension().lastPathComponent }
      + (averagesMirrored ? ["mirrored"] : [])).joined(separator: "+")
  }
}
