import FrameStreams

/// What is missing from a film, by what its file promises.
extension FilmProbe {
  /// Seconds that may be missing at the end: streams rarely end together.
  private static let tolerance = 1.0

  /// Why a part has no frame; `nil` if it begins before the film's end.
  ///
  /// - Parameter start: Seconds.
  func absence(from start: Double?) -> String? {
    guard let start, let seconds, start >= seconds else { return nil }
    return "has no frame from \(StreamMeter.tenths(start)) s on; it is "
      + "\(StreamMeter.tenths(seconds)) s long"
  }

  /// A note about a film that was not decoded whole; `nil` if it was.
  ///
  /// - Parameters:
  ///   - fault: What ffmpeg said about it.
  ///   - end: Seconds from the beginning of the part to the end of its last frame; `nil` if unknown.
  func fault(_ fault: String?, endingAt end: Double?, of part: FilmPart) -> String? {
    // A file's own length may be that of its sound, so it only counts beside a fault.
    let length = video?.duration.flatMap { Double($0) } ?? (fault == nil ? nil : seconds)
    let reason = fault.map { "ffmpeg: \($0)" }
    guard let end, let length else { return reason }
    let expected = min(part.duration ?? .infinity, length - (part.start ?? 0))
    guard end + Self.tolerance < expected else { return reason }
    return "ends after \(StreamMeter.tenths(end)) s of \(StreamMeter.tenths(expected)) s"
      + (reason.map { " (\($0))" } ?? "")
  }
}
