import DepthErrors
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
  /// Microseconds from the beginning of the excerpt to the end of its last frame; `nil` where the file does not store how
  /// long frames are shown.
  let end: Int?
  /// The name of the coding of a second view that ffmpeg does not decode with the first one; `nil` without such a view.
  package let secondView: String?

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
    guard !["unknown", "none"].contains(video.codecName ?? "none") else {
      throw Self.undecodable(path, kind: video.codecTagString ?? "")
    }
    let first = try FirstFrames(of: video, path, by: tools)
    packing = video.packing(first)
    secondView = first.secondView(video.codecName ?? "")
    decoding = try FilmDecoding(
      video, first, of: path, encoder: encoder, keepsChroma: keepsChroma, tools: tools)
    if let preview {
      let start = max(((probe.seconds ?? 0) - preview) / 2, 0)
      self.excerpt = FilmExcerpt(start: start > 0 ? start : nil, duration: preview)
    } else {
      self.excerpt = excerpt
    }
    let (start, duration) = (self.excerpt.start ?? 0, self.excerpt.duration ?? .infinity)
    end = try probe.pictureEnd(path, by: tools).flatMap {
      Int(filmMicroseconds: min($0 - start, duration) * 1_000_000)
    }
  }

  /// An error for pictures that ffmpeg cannot decode at all.
  ///
  /// - Parameter kind: The name of their coding, if it is known.
  static func undecodable(_ path: String, kind: String) -> DepthError {
    let isName = !kind.isEmpty && !kind.hasPrefix("[")
    return DepthError.unsupportedFormat(
      file: path, expected: "one that this ffmpeg decodes",
      found: "a film " + (isName ? "of kind \(kind)" : "of unknown kind"))
  }

  package var framesPerSecond: Double { video.rate?.value ?? 25 }

  /// Microseconds. Damaged files claim any rate.
  package var frameDuration: Int { Int(filmMicroseconds: 1_000_000 / framesPerSecond) ?? 40_000 }

  /// About how many frames the excerpt has; `nil` where the file does not say, or what no film has.
  package var frameCount: Int? {
    let seconds = min(
      excerpt.duration ?? .infinity, (probe.seconds ?? .infinity) - (excerpt.start ?? 0))
    return Int(exactly: (seconds * framesPerSecond).rounded())
  }
}
