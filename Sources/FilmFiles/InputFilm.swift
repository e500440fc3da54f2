import FrameStreams

/// A film before its frames are decoded.
package struct InputFilm: Sendable {
  package let probe: FilmProbe
  package let video: FilmProbe.Stream
  package let decoding: FilmDecoding
  /// How the film shows several views; `nil` for one view.
  package let packing: String?
  /// Part of the film: the one that was asked for, or a preview from the middle.
  package let excerpt: FilmExcerpt

  /// - Parameters:
  ///   - preview: Seconds from the middle that are worked on instead of `excerpt`; `nil` without a preview.
  ///   - encoder: ffmpeg's name of the new film's encoder.
  ///   - keepsChroma: As of ``FilmDecoding``.
  /// - Throws: `DepthError` for a file that ffmpeg cannot read, and for one without a film.
  package init(
    _ path: String, excerpt: FilmExcerpt, preview: Double?, encoder: String, keepsChroma: Bool,
    tools: FFmpeg
  ) throws {
    probe = try FilmProbe(path, by: tools)
    guard let video = probe.video else { preconditionFailure("a film without pictures") }
    self.video = video
    let first = try FirstFrames(of: video, path, by: tools)
    packing = video.packing(first)
    decoding = try FilmDecoding(
      video, first, of: path, encoder: encoder, keepsChroma: keepsChroma, tools: tools)
    guard let preview else {
      self.excerpt = excerpt
      return
    }
    let start = max(((probe.seconds ?? 0) - preview) / 2, 0)
    self.excerpt = FilmExcerpt(start: start > 0 ? start : nil, duration: preview)
  }

  package var framesPerSecond: Double { video.rate?.value ?? 25 }

  /// Microseconds. Damaged files claim any rate.
  package var frameDuration: Int { Int(filmMicroseconds: 1_000_000 / framesPerSecond) ?? 40_000 }

  /// Microseconds from the beginning of the excerpt to the end of its last frame; `nil` where the file does not store how
  /// long frames are shown.
  var end: Int? {
    guard let name = probe.format?.formatName, name.contains("mp4") || name.contains("matroska"),
      let length = video.seconds
    else { return nil }
    func time(_ text: String?) -> Double { text.flatMap { Double($0) } ?? 0 }
    // Matroska's tag counts from the file's zero, the others from the stream's first frame.
    let end = length + (video.duration == nil ? 0 : time(video.startTime))
    let seconds = min(
      end - time(probe.format?.startTime) - (excerpt.start ?? 0), excerpt.duration ?? .infinity)
    return Int(filmMicroseconds: seconds * 1_000_000)
  }

  /// ``end`` where the last frame is shown longer than most; `nil` for other films.
  ///
  /// - Parameter last: Time of the last frame, in microseconds.
  package func lateEnd(after last: Int) -> Int? {
    guard let end, end - last - frameDuration >= min(frameDuration / 2, 100_000) else { return nil }
    return end
  }

  /// About how many frames the excerpt has; `nil` where the file does not say, or what no film has.
  package var frameCount: Int? {
    let seconds = min(
      excerpt.duration ?? .infinity, (probe.seconds ?? .infinity) - (excerpt.start ?? 0))
    return Int(exactly: (seconds * framesPerSecond).rounded())
  }
}
