/// Streams that ffmpeg must read so that all of its runs count times from the same moment.
///
/// In formats whose times may jump (MPEG-TS, MPEG-PS, Ogg), ffmpeg lets the earliest of the streams that it *uses* begin at
/// zero. A run that decodes the pictures alone and one that copies the sound alone would move them against each other, so
/// each also copies the other streams, to nowhere.
extension FilmProbe {
  /// Whether times in the file may jump.
  var mayJump: Bool { ["mpegts", "mpeg", "ogg"].contains(format?.formatName ?? "") }

  /// Options of a further output of ffmpeg, which keeps nothing; none for other formats.
  ///
  /// - Parameters:
  ///   - input: The film's number among ffmpeg's inputs.
  ///   - seconds: The end of the output; `nil` for the film's end.
  func commonStart(input: Int, upTo seconds: Double?) -> [String] {
    guard mayJump else { return [] }
    let used = streams.filter {
      ["video", "audio", "subtitle"].contains($0.codecType ?? "")
        && !["", "none", "unknown"].contains($0.codecName ?? "")
    }
    guard used.count > 1 else { return [] }
    return used.flatMap { ["-map", "\(input):\($0.index)"] } + ["-c", "copy"]
      + (seconds.map { ["-t", FFmpeg.time($0)] } ?? []) + ["-f", "null", "-"]
  }
}
