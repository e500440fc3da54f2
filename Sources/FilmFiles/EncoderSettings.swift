import DepthErrors

/// A video encoder of ffmpeg with its settings.
package struct EncoderSettings: Sendable, Encodable {
  /// ffmpeg's name of the encoder.
  package let codec: String
  /// On the encoder's own scale; `nil` for a value that suits it.
  package let quality: Double?
  package let preset: String?
  /// Whether the user has named the encoder.
  package let isNamed: Bool

  /// - Parameter codec: `nil` for libx264.
  package init(codec: String? = nil, quality: Double? = nil, preset: String? = nil) {
    self.codec = codec ?? "libx264"
    (self.quality, self.preset, isNamed) = (quality, preset, codec != nil)
  }

  /// - Throws: `DepthError` where ffmpeg has no such encoder.
  package func check(_ tools: FFmpeg) throws {
    guard tools.encoders[codec] != nil else {
      throw DepthError.invalidArgument(
        name: "the encoder", found: codec, expected: "one that 'ffmpeg -encoders' lists")
    }
  }

  /// ffmpeg's options of the encoder.
  ///
  /// - Parameters:
  ///   - packing: The number of the H.264 standard for how views lie in a frame; `nil` for one view.
  ///   - isLimited: Whether the film says that its range is the limited one: H.264 says it only when asked to.
  ///   - threads: Their number is part of what the encoder makes.
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
      // The number of its threads does not change the result. Its report is left out.
      arguments += ["-x265-params", "log-level=error:frame-threads=\(min(threads, 16))"]
    }
    return arguments
  }

  /// Whether frames are uploaded first.
  var isVAAPI: Bool { codec.hasSuffix("_vaapi") }

  /// The container of pieces: NUT has exact times, but no color tags for codecs that carry none themselves.
  var pieceFormat: String {
    ["ffv1", "ffvhuff", "huffyuv", "utvideo", "mjpeg", "rawvideo", "libxvid", "mpeg4"].contains(
      codec)
      ? "matroska" : "nut"
  }

  /// Ticks of a piece in a second.
  var pieceTicks: Int { pieceFormat == "matroska" ? 1000 : 1_000_000 }

  private static let qualities: [String: Double] = ["libx264": 18, "libx265": 20, "libsvtav1": 24]

  /// The option for quality, `#` for its number.
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
