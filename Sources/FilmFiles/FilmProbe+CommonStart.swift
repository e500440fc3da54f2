/// The streams that every run of ffmpeg must read to use the same time origin.
///
/// In formats whose times may jump (MPEG-TS, MPEG-PS, Ogg), ffmpeg sets the start of the earliest *used* stream to zero.
/// If one run decoded only the pictures and another run copied only the sound, sound and pictures would be out of sync.
/// Therefore each run also copies the other streams to a null output.
extension FilmProbe {
  /// Whether times in the file may jump.
  var mayJump: Bool { ["mpegts", "mpeg", "ogg"].contains(format?.formatName ?? "") }

  /// Options for a further null output of ffmpeg; empty for other formats.
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
