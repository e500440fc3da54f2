import ArgumentParser
import DepthErrors
import SystemEssentials

/// How films are encoded.
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

  /// The encoder's name.
  var encoder: String { codec ?? "libx264" }

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
    for (name, value) in [("--codec", encoder), ("--preset", preset ?? "medium")]
    where value.isEmpty || value.hasPrefix("-") || value.contains(where: \.isWhitespace) {
      throw ValidationError("\(name) is '\(value)', expected a name")
    }
    if encoder == "copy" { throw ValidationError("--codec is copy, expected an encoder") }
  }

  /// The chosen encoder and its settings, for the record of a film.
  var chosen: Chosen { Chosen(codec: encoder, quality: quality, preset: preset) }

  struct Chosen: Encodable {
    let codec: String
    let quality: Double?
    let preset: String?
  }

  /// - Throws: `DepthError` where ffmpeg has no such encoder.
  func check(_ tools: FFmpeg) throws {
    guard tools.encoders[encoder] != nil else {
      throw DepthError.invalidArgument(
        name: "the encoder", found: encoder, expected: "one that 'ffmpeg -encoders' lists")
    }
  }

  /// ffmpeg's options of the encoder.
  ///
  /// - Parameters:
  ///   - isLimited: Whether the film says that its range is the limited one: H.264 says it only when asked to.
  ///   - packing: The number of the H.264 standard for how views lie in a frame; `nil` for one view.
  ///   - threads: Their number is part of what the encoder makes.
  func arguments(packing: Int?, isLimited: Bool, threads: Int) -> [String] {
    var arguments = ["-c:v", encoder, "-threads", "\(threads)"]
    if let preset { arguments += ["-preset", preset] }
    if let quality = quality ?? Self.qualities[encoder] {
      let text = quality == quality.rounded() ? "\(Int(quality))" : "\(quality)"
      arguments += qualityOption.map { $0 == "#" ? text : $0 }
    }
    if encoder == "libx264", let packing {
      arguments += ["-x264-params", "frame-packing=\(packing)"]
    }
    if isLimited, encoder.contains("264") {
      arguments += ["-bsf:v", "h264_metadata=video_full_range_flag=0"]
    }
    if encoder == "libx265" {
      // The number of its threads does not change the result. Its report is left out.
      arguments += ["-x265-params", "log-level=error:frame-threads=\(min(threads, 16))"]
    }
    return arguments
  }

  /// Whether frames are uploaded first.
  var isVAAPI: Bool { encoder.hasSuffix("_vaapi") }

  /// What pieces are kept in: NUT has exact times, but no color tags for codecs that carry none themselves.
  var pieceFormat: String {
    ["ffv1", "ffvhuff", "huffyuv", "utvideo", "mjpeg", "rawvideo", "libxvid", "mpeg4"].contains(
      encoder)
      ? "matroska" : "nut"
  }

  /// Ticks of a piece in a second.
  var pieceTicks: Int { pieceFormat == "matroska" ? 1000 : 1_000_000 }

  private static let qualities: [String: Double] = ["libx264": 18, "libx265": 20, "libsvtav1": 24]

  /// The option for quality, `#` for its number.
  private var qualityOption: [String] {
    switch encoder {
    case _ where encoder.hasSuffix("_nvenc"): ["-rc", "vbr", "-cq", "#", "-b:v", "0"]
    case _ where encoder.hasSuffix("_qsv"): ["-global_quality", "#"]
    case _ where encoder.hasSuffix("_vaapi"), _ where encoder.hasSuffix("_amf"): ["-qp", "#"]
    case "libvpx-vp9", "libaom-av1": ["-crf", "#", "-b:v", "0"]
    case _ where encoder.hasPrefix("lib"): ["-crf", "#"]
    default: ["-q:v", "#"]
    }
  }
}
