import FrameStreams

/// A film before its frames are decoded.
struct SourceFilm: Sendable {
  let probe: FilmProbe
  let video: FilmProbe.Stream
  let decoding: FilmDecoding
  /// What is worked on: what was asked for, or a preview from the middle.
  let excerpt: FilmExcerpt

  /// - Parameter preview: Seconds from the middle that are worked on instead of `excerpt`; `nil` without a preview.
  /// - Throws: `DepthError` for a file that ffmpeg cannot read, and for one without a film.
  init(_ path: String, excerpt: FilmExcerpt, preview: Double?, tools: FFmpeg) throws {
    probe = try FilmProbe(path, by: tools)
    guard let video = probe.video else { preconditionFailure("a film without pictures") }
    self.video = video
    decoding = try FilmDecoding(video, of: path, tools: tools)
    guard let preview else {
      self.excerpt = excerpt
      return
    }
    let start = max(((probe.seconds ?? 0) - preview) / 2, 0)
    self.excerpt = FilmExcerpt(start: start > 0 ? start : nil, duration: preview)
  }

  var framesPerSecond: Double { video.rate?.value ?? 25 }

  /// Microseconds. Damaged files claim any rate.
  var frameDuration: Int { Int(exactly: (1_000_000 / framesPerSecond).rounded()) ?? 40_000 }

  /// About how many frames the excerpt has; `nil` where the file does not say, or what no film has.
  var frameCount: Int? {
    let seconds = min(
      excerpt.duration ?? .infinity, (probe.seconds ?? .infinity) - (excerpt.start ?? 0))
    return Int(exactly: (seconds * framesPerSecond).rounded())
  }
}
