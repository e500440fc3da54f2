/// The processed part of a film.
package struct FilmExcerpt: Sendable, Hashable, Codable {
  /// Start and duration in seconds; `nil` for the film's start or the film's end.
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

/// The seek to the start of an excerpt, by ffmpeg's options and filters.
struct ExcerptSeek: Sendable {
  /// Options before the film's name.
  let arguments: [String]
  /// Filters to apply before all others.
  let filters: [String]
  /// Seconds from the seek position to the excerpt's end, if filters end the excerpt; otherwise `nil`.
  let length: Double?

  /// In a file with an index, ffmpeg seeks to a key frame. In a file without an index, ffmpeg starts at the requested
  /// time, and frames before the next key frame are lost or gray. For such a file, this initializer therefore locates the
  /// key frame.
  ///
  /// - Throws: `DepthError` if ffprobe cannot be started.
  init(of film: InputFilm, _ path: String, tools: FFmpeg) throws {
    guard let start = film.excerpt.start, film.probe.lacksIndex else {
      (arguments, filters, length) = (film.excerpt.arguments, [], nil)
      return
    }
    let key = try film.probe.keyFrame(before: start, path, by: tools)
    // A frame's packets precede the frame's time.
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
  /// Whether the file has no index of key frames.
  fileprivate var lacksIndex: Bool {
    ["mpegts", "mpeg", "mpegvideo", "m4v", "h264", "hevc"].contains(format?.formatName ?? "")
  }

  /// The last key frame at or before a time, in seconds since the film's start; `nil` if no key frame is marked.
  ///
  /// - Throws: `DepthError` if ffprobe cannot be started.
  fileprivate func keyFrame(
    before seconds: Double, _ path: String, by tools: FFmpeg
  ) throws -> Double? {
    // Packets of raw streams have no times, and ffprobe cannot seek in such streams, so frames are decoded from the start.
    guard let video, !["h264", "hevc"].contains(format?.formatName ?? "") else { return nil }
    let origin = format?.startTime.flatMap { Double($0) } ?? 0
    // Most films have a key frame every few seconds, so the last 20 seconds are read before all packets.
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
