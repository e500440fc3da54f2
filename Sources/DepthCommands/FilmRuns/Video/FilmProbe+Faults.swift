import FrameStreams

/// What is missing from a film, by what its file promises.
extension FilmProbe {
  /// Seconds that may be missing at the end: streams rarely end together.
  private static let tolerance = 1.0

  /// A note about a film in which ffmpeg found a fault; `nil` for others. Their last frame may be shown for long, so their
  /// lengths say nothing.
  ///
  /// - Parameters:
  ///   - fault: What ffmpeg said about it.
  ///   - end: Seconds from the beginning of the excerpt to the end of its last frame; `nil` if unknown.
  func fault(_ fault: String?, endingAt end: Double?, of excerpt: FilmExcerpt) -> String? {
    guard let reason = fault.map({ "ffmpeg: \($0)" }) else { return nil }
    guard let end, let length = video?.seconds ?? seconds else { return reason }
    let expected = min(excerpt.duration ?? .infinity, length - (excerpt.start ?? 0))
    guard end + Self.tolerance < expected else { return reason }
    return
      "ends after \(StreamMeter.tenths(end)) s of \(StreamMeter.tenths(expected)) s (\(reason))"
  }
}
