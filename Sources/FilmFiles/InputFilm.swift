import DepthErrors
import FrameStreams

/// A film before its frames are decoded.
package struct InputFilm: Sendable {
  package let probe: FilmProbe
  package let video: FilmProbe.Stream
  package let decoding: FilmDecoding
  /// The packing of views; `nil` for one view.
  package let packing: String?
  /// The processed part: the requested excerpt, or a preview from the middle.
  package let excerpt: FilmExcerpt
  /// Microseconds from the start of the excerpt to the end of its last frame; `nil` if the file stores no durations.
  let end: Int?
  /// The name of the coding of a second view that ffmpeg does not decode; `nil` without such a view.
  package let secondView: String?

  /// - Parameters:
  ///   - preview: Seconds of a preview from the middle, which replaces `excerpt`; `nil` without a preview.
  ///   - encoder: ffmpeg's name of the new film's encoder.
  ///   - keepsChroma: See ``FilmDecoding``.
  /// - Throws: `DepthError` for a file that ffmpeg cannot read, and for a file without video.
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

  /// An error for pictures that ffmpeg cannot decode.
  ///
  /// - Parameter kind: The name of the pictures' coding, if known.
  static func undecodable(_ path: String, kind: String) -> DepthError {
    let isName = !kind.isEmpty && !kind.hasPrefix("[")
    return DepthError.unsupportedFormat(
      file: path, expected: "one that this ffmpeg decodes",
      found: "a film " + (isName ? "of kind \(kind)" : "of unknown kind"))
  }

  package var framesPerSecond: Double { video.rate?.value ?? 25 }

  /// Microseconds per frame. Damaged files may claim any rate.
  package var frameDuration: Int { Int(filmMicroseconds: 1_000_000 / framesPerSecond) ?? 40_000 }

  /// Approximate number of frames in the excerpt; `nil` if unknown or impossible.
  package var frameCount: Int? {
    let seconds = min(
      excerpt.duration ?? .infinity, (probe.seconds ?? .infinity) - (excerpt.start ?? 0))
    return Int(exactly: (seconds * framesPerSecond).rounded())
  }
}
