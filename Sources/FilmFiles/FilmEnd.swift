import DepthErrors

/// The end of a film's last frame.
extension InputFilm {
  /// Largest rounding error of containers' times, in microseconds.
  private static let rounding = 2000

  /// The end of the last frame in microseconds; `nil` if unknown, or if the last frame is as long as other
  /// frames.
  ///
  /// - Parameter last: Time of the last frame, in microseconds.
  package func end(after last: Int) -> Int? {
    guard let end, end - last >= Self.rounding else { return nil }
    let isUsual = video.avgFrameRate == video.rFrameRate
    return isUsual && abs(end - last - frameDuration) <= Self.rounding ? nil : end
  }
}

extension FilmProbe {
  /// Seconds from the film's start to the end of the last frame; `nil` if the file stores no durations.
  ///
  /// - Throws: `DepthError` if ffprobe cannot be started.
  func pictureEnd(_ path: String, by tools: FFmpeg) throws -> Double? {
    func time(_ text: String?) -> Double { text.flatMap { Double($0) } ?? 0 }
    guard let video, let name = format?.formatName,
      ["mp4", "matroska", "gif", "apng"].contains(where: name.contains)
    else { return nil }
    let origin = time(format?.startTime)
    // Matroska's tag counts from the file's time zero, and other containers' durations from the stream's first frame.
    if let length = video.seconds {
      return length + (video.duration == nil ? 0 : time(video.startTime)) - origin
    }
    let timed = streams.filter { ["video", "audio", "subtitle"].contains($0.codecType ?? "") }
    if timed.count == 1, let length = format?.duration.flatMap({ Double($0) }) { return length }
    return try lastPacketEnd(video, path, by: tools).map { $0 - origin }
  }

  /// The end of the last packet of a stream with stored durations; `nil` without such a packet.
  private func lastPacketEnd(_ video: Stream, _ path: String, by tools: FFmpeg) throws -> Double? {
    let length = format?.duration.flatMap { Double($0) } ?? 0
    let text: String
    do {
      text = try FFmpeg.text(
        tools.ffprobe,
        ["-v", "error", "-select_streams", "\(video.index)", "-show_entries"]
          + ["packet=pts_time,duration_time", "-of", "csv=p=0"]
          + (length > 20 ? ["-read_intervals", FFmpeg.time(length - 20) + "%"] : [])
          + ["-i", FFmpeg.url(path)])
    } catch let error as DepthError where error.code == .unreadable {
      return nil
    }
    return text.split(separator: "\n").compactMap { line -> Double? in
      let parts = line.split(separator: ",").map { Double($0) }
      guard parts.count == 2, let start = parts[0], let duration = parts[1] else { return nil }
      return start + duration
    }.max()
  }
}
