import DepthErrors
import SystemEssentials

/// Properties of a film's first frames that the file does not state: interlacing and packing of views.
struct FirstFrames: Decodable, Sendable {
  struct Frame: Decodable, Sendable {
    var interlacedFrame: Int?
    var sideDataList: [FilmProbe.SideData]?
  }

  private struct Stream: Decodable {
    var extradata: String?
  }

  private var frames: [Frame] = []
  private var streams: [Stream]?

  /// - Throws: `DepthError` if ffprobe cannot be started. Undecodable frames have no properties.
  init(of video: FilmProbe.Stream, _ path: String, by tools: FFmpeg) throws {
    let isHEVC = video.codecName == "hevc"
    let entries =
      "frame=interlaced_frame:frame_side_data=side_data_type,type,max_content,max_luminance"
      + (isHEVC ? ":stream=extradata" : "")
    let text: String
    do {
      text = try FFmpeg.text(
        tools.ffprobe,
        ["-v", "error", "-select_streams", "\(video.index)", "-read_intervals", "%+#8"]
          + ["-show_entries", entries] + (isHEVC ? ["-show_data"] : [])
          + ["-of", "json", "-i", FFmpeg.url(path)])
    } catch let error as DepthError where error.code == .unreadable {
      return
    }
    guard let found = try? FilmProbe.decoder.decode(Self.self, from: Data(text.utf8)) else {
      return
    }
    self = found
  }

  var sideData: [FilmProbe.SideData] { frames.flatMap { $0.sideDataList ?? [] } }

  var areInterlaced: Bool { frames.contains { $0.interlacedFrame == 1 } }

  /// The name of the coding of a second view that is not in these frames; `nil` without such a view.
  func secondView(_ codec: String) -> String? {
    guard codec == "hevc", let text = streams?.first?.extradata else { return nil }
    return HEVCParameters(dump: text).layers > 1 ? "MV-HEVC" : nil
  }

  /// The packing of several views in the frames of H.264 and HEVC; `nil` for one view.
  fileprivate var packing: String? {
    let found = frames.lazy.flatMap { $0.sideDataList ?? [] }.first { $0.isStereo }
    // ffprobe prints names since version 7.
    return found.flatMap { $0.packing ?? ($0.type == nil ? "frame packing" : nil) }
  }
}

extension FilmProbe.SideData {
  fileprivate var isStereo: Bool { sideDataType == "Stereo 3D" }

  /// ffmpeg's name of a packing of views; `nil` for one view, and for separately coded views.
  fileprivate var packing: String? {
    guard isStereo, let type, !["2D", "unspecified", "unknown"].contains(type) else { return nil }
    return type
  }
}

extension FilmProbe.Stream {
  /// The packing of views, from the file or else from the frames; `nil` for one view.
  func packing(_ first: FirstFrames) -> String? {
    if let packing = (sideDataList ?? []).lazy.compactMap(\.packing).first { return packing }
    return ["h264", "hevc"].contains(codecName ?? "") ? first.packing : nil
  }
}
