/// The part of a film that is worked on.
package struct FilmExcerpt: Sendable, Hashable, Codable {
  /// Seconds; `nil` from the beginning, and to the end.
  package var start, duration: Double?

  package init(start: Double? = nil, duration: Double? = nil) {
    (self.start, self.duration) = (start, duration)
  }

  /// Options before a film's name.
  var arguments: [String] {
    (start.map { ["-ss", FFmpeg.time($0)] } ?? [])
      + (duration.map { ["-t", FFmpeg.time($0)] } ?? [])
  }
}

/// The seek to the beginning of an excerpt: options and filters of ffmpeg.
struct ExcerptSeek: Sendable {
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
  init(of film: InputFilm, _ path: String, tools: FFmpeg) throws {
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
      let interval =
        FFmpeg.time(max(seconds - length, 0) + origin) + "%" + FFmpeg.time(seconds + origin)
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
