import ArgumentParser
import FilmFiles

/// The encoder of films and its settings.
struct EncodingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Video encoder by its ffmpeg name, such as libx265, libsvtav1, h264_nvenc or hevc_videotoolbox; libx264 by \
      default. 'ffmpeg -encoders' lists them.
      """,
      discussion: "Films with RGB colors become 4:2:0, unless an encoder is named.",
      valueName: "name"))
  var codec: String?

  @Option(
    help: ArgumentHelp(
      """
      Quality on the encoder's own scale, 0 to 63. By default 18 for libx264, 20 for libx265 and 24 for libsvtav1 \
      (lower is better), and the encoder's own default for others.
      """,
      discussion:
        "ffmpeg gets it as -crf, or as -cq, -global_quality, -qp or -q:v for encoders without -crf.",
      valueName: "n"))
  var quality: Double?

  @Option(
    help: ArgumentHelp(
      "Preset of the encoder, such as medium or slow; by default the encoder's own.",
      valueName: "name"))
  var preset: String?

  func validate() throws {
    try check("--quality", quality, in: 0...63)
    for (name, value) in [("--codec", codec ?? "libx264"), ("--preset", preset ?? "medium")]
    where value.isEmpty || value.hasPrefix("-") || value.contains(where: \.isWhitespace) {
      throw ValidationError("\(name) is '\(value)', expected a name")
    }
    if codec == "copy" { throw ValidationError("--codec is copy, expected an encoder") }
  }

  var settings: EncoderSettings {
    EncoderSettings(codec: codec, quality: quality, preset: preset)
  }
}
