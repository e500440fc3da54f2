import DepthErrors

/// A video encoder of ffmpeg with its settings.
package struct EncoderSettings: Sendable, Encodable {
  /// ffmpeg's name of the encoder.
  package let codec: String
  /// Quality on the encoder's own scale; `nil` for this program's default.
  package let quality: Double?
  package let preset: String?
  /// Whether the user chose the encoder.
  package let isNamed: Bool

  /// - Parameter codec: `nil` for libx264.
  package init(codec: String? = nil, quality: Double? = nil, preset: String? = nil) {
    self.codec = codec ?? "libx264"
    (self.quality, self.preset, isNamed) = (quality, preset, codec != nil)
  }

  /// - Throws: `DepthError` if ffmpeg has no such encoder.
  package func check(_ tools: FFmpeg) throws {
    guard tools.encoders[codec] != nil else {
      throw DepthError.invalidArgument(
        name: "the encoder", found: codec, expected: "one that 'ffmpeg -encoders' lists")
    }
  }

  /// ffmpeg's options for the encoder.
  ///
  /// - Parameters:
  ///   - packing: The number of the frame packing arrangement in H.264; `nil` for one view.
  ///   - isLimited: Whether the film is tagged with limited range, which H.264 omits by default.
  ///   - threads: Number of threads, which affects the encoder's output.
  func arguments(packing: Int?, isLimited: Bool, threads: Int) -> [String] {
    var arguments = ["-c:v", codec, "-threads", "\(threads)"]
    if let preset { arguments += ["-preset", preset] }
    if let quality = quality ?? Self.qualities[codec] {
      let text = quality == quality.rounded() ? "\(Int(quality))" : "\(quality)"
      arguments += qualityOption.map { $0 == "#" ? text : $0 }
    }
    if codec == "libx264", let packing {
      arguments += ["-x264-params", "frame-packing=\(packing)"]
    }
    if isLimited, codec.contains("264") {
      arguments += ["-bsf:v", "h264_metadata=video_full_range_flag=0"]
    }
    if codec == "libx265" {
      // The number of frame threads does not affect the result. The log level suppresses x265's report.
      arguments += ["-x265-params", "log-level=error:frame-threads=\(min(threads, 16))"]
    }
    return arguments
  }

  /// Whether frames must first be uploaded to the GPU.
  var isVAAPI: Bool { codec.hasSuffix("_vaapi") }

  /// The container of segments. NUT has exact times, but cannot tag the colors of codecs that have no color
  /// tags of their own.
  var pieceFormat: String {
    ["ffv1", "ffvhuff", "huffyuv", "utvideo", "mjpeg", "rawvideo", "libxvid", "mpeg4"].contains(
      codec)
      ? "matroska" : "nut"
  }

  /// Ticks per second of a segment.
  var pieceTicks: Int { pieceFormat == "matroska" ? 1000 : 1_000_000 }

  private static let qualities: [String: Double] = ["libx264": 18, "libx265": 20, "libsvtav1": 24]

  /// The options for quality, with `#` for the number.
  private var qualityOption: [String] {
    switch codec {
    case _ where codec.hasSuffix("_nvenc"): ["-rc", "vbr", "-cq", "#", "-b:v", "0"]
    case _ where codec.hasSuffix("_qsv"): ["-global_quality", "#"]
    case _ where codec.hasSuffix("_vaapi"), _ where codec.hasSuffix("_amf"): ["-qp", "#"]
    case "libvpx-vp9", "libaom-av1": ["-crf", "#", "-b:v", "0"]
    case _ where codec.hasPrefix("lib"): ["-crf", "#"]
    default: ["-q:v", "#"]
    }
  }
}
