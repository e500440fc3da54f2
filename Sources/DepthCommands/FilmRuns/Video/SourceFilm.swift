import FrameStreams

/// A film before its frames are decoded.
struct SourceFilm: Sendable {
  let probe: FilmProbe
  let video: FilmProbe.Stream
  let decoding: FilmDecoding
  /// How the film shows several views; `nil` for one view.
  let packing: String?
  /// What is worked on: what was asked for, or a preview from the middle.
  let excerpt: FilmExcerpt

  /// - Parameters:
  ///   - preview: Seconds from the middle that are worked on instead of `excerpt`; `nil` without a preview.
  ///   - encoder: ffmpeg's name of the new film's encoder.
  ///   - keepsChroma: As of ``FilmDecoding``.
  /// - Throws: `DepthError` for a file that ffmpeg cannot read, and for one without a film.
  init(
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

  var framesPerSecond: Double { video.rate?.value ?? 25 }

  /// Microseconds. Damaged files claim any rate.
  var frameDuration: Int { Int(filmMicroseconds: 1_000_000 / framesPerSecond) ?? 40_000 }

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
  func lateEnd(after last: Int) -> Int? {
    guard let end, end - last - frameDuration >= min(frameDuration / 2, 100_000) else { return nil }
    return end
  }

  /// About how many frames the excerpt has; `nil` where the file does not say, or what no film has.
  var frameCount: Int? {
    let seconds = min(
      excerpt.duration ?? .infinity, (probe.seconds ?? .infinity) - (excerpt.start ?? 0))
    return Int(exactly: (seconds * framesPerSecond).rounded())
  }
}

/// Where ffmpeg begins to decode an excerpt, and what is cut off from there.
struct ExcerptBegin: Sendable {
  /// Options before the film's name.
  let arguments: [String]
  /// Filters before all others.
  let filters: [String]
  /// Seconds from there to the excerpt's end, where the filters end it; else `nil`.
  let length: Double?

  /// In a file with an index, ffmpeg itself goes back to a key frame. Elsewhere it begins at the time asked for, and what
  /// comes before the next key frame is lost or gray, so the key frame is looked for here.
  ///
  /// - Throws: `DepthError` where ffprobe cannot be started.
  init(of film: SourceFilm, _ path: String, tools: FFmpeg) throws {
    guard let start = film.excerpt.start, film.probe.lacksIndex else {
      (arguments, filters, length) = (film.excerpt.arguments, [], nil)
      return
    }
    let key = try film.probe.keyFrame(before: start, path, by: tools)
    // Packets of a frame come before its time.
    let begin = max((key ?? 0) - 0.5, 0)
    arguments = FilmExcerpt(start: begin > 0 ? begin : nil).arguments
    let skipped = Self.microseconds(start - begin)
    length = film.excerpt.duration.map { start - begin + $0 }
    let end = length.map { ":end=\(Self.microseconds($0))us" }
    filters = ["trim=start=\(skipped)us\(end ?? "")", "setpts=PTS-\(skipped)/1000000/TB"]
  }

  private static func microseconds(_ seconds: Double) -> Int {
    Int(exactly: (seconds * 1_000_000).rounded()) ?? .max
  }
}

extension FilmProbe {
  /// Whether the file has no list of its key frames.
  fileprivate var lacksIndex: Bool {
    ["mpegts", "mpeg", "mpegvideo", "m4v", "h264", "hevc"].contains(format?.formatName ?? "")
  }

  /// The last key frame that is not later than a time, both in seconds from the film's beginning; `nil` if none is marked.
  ///
  /// - Throws: `DepthError` where ffprobe cannot be started.
  fileprivate func keyFrame(
    before seconds: Double, _ path: String, by tools: FFmpeg
  ) throws -> Double? {
    // Packets of raw streams have no times, and ffprobe refuses to look for one; their frames are decoded from the beginning.
    guard let video, !["h264", "hevc"].contains(format?.formatName ?? "") else { return nil }
    let origin = format?.startTime.flatMap { Double($0) } ?? 0
    // Most films have one every few seconds; reading all that comes before takes time.
    for length in [20, seconds] {
      let interval = "\(max(seconds - length, 0) + origin)%\(seconds + origin)"
      let text = try FFmpeg.text(
        tools.ffprobe,
        ["-v", "error", "-select_streams", "\(video.index)", "-show_entries"]
          + ["packet=pts_time,flags", "-of", "csv=p=0", "-read_intervals", interval]
          + ["-i", FFmpeg.url(path)])
      let times = text.split(separator: "\n").compactMap { line -> Double? in
        let parts = line.split(separator: ",")
        guard parts.count > 1, parts[1].hasPrefix("K") else { return nil }
        return Double(parts[0]).map { $0 - origin }
      }
      if let found = times.filter({ $0 <= seconds }).max() { return found }
    }
    return nil
  }
}
