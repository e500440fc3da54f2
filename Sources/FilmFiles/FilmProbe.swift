import DepthErrors
import FrameStreams
import PictureFiles
import SystemEssentials

/// The properties of a film that ffprobe reports.
package struct FilmProbe: Decodable, Sendable {
  package struct Stream: Decodable, Sendable {
    var index: Int
    /// The kind of stream; `nil` if unsupported by ffmpeg, for example in transport streams.
    var codecType: String?
    var codecName, codecTagString, profile: String?
    var channels: Int?
    var channelLayout: String?
    var sampleFmt, bitsPerRawSample: String?
    var width, height: Int?
    var pixFmt, sampleAspectRatio: String?
    var colorRange, colorSpace, colorTransfer, colorPrimaries: String?
    var chromaLocation, fieldOrder: String?
    var avgFrameRate, rFrameRate, timeBase, startTime, duration, nbFrames: String?
    var disposition: [String: Int]?
    var tags: [String: String]?
    var sideDataList: [FilmProbe.SideData]?

    var isAttachedPicture: Bool { disposition?["attached_pic"] == 1 }
  }

  struct SideData: Decodable, Sendable {
    var sideDataType: String?
    /// The name of a packing of views.
    var type: String?
    var dvProfile, dvBlSignalCompatibilityId: Int?
    /// The maximum content light level, in cd/m².
    var maxContent: Int?
    /// The maximum luminance of the mastering display, in cd/m².
    var maxLuminance: String?
  }

  struct Format: Decodable, Sendable {
    var startTime, duration, formatName: String?
    var tags: [String: String]?
  }

  struct Chapter: Decodable, Sendable {}

  var streams: [Stream]
  var format: Format?
  var chapters: [Chapter]?

  /// - Throws: `DepthError` for a file that ffmpeg cannot read, and for a file without video.
  init(_ path: String, by tools: FFmpeg) throws {
    guard unsafe access(path, F_OK) == 0 else {
      throw DepthError.unreadable(file: path, reason: systemReason())
    }
    self = try Self.streams(of: path, by: tools)
    guard video != nil else {
      throw DepthError.unreadable(file: path, reason: "has no video, expected a film")
    }
  }

  /// The properties of any media file.
  ///
  /// - Throws: `DepthError` for a file that ffmpeg cannot read.
  static func streams(of path: String, by tools: FFmpeg) throws -> FilmProbe {
    let text: String
    do {
      text = try FFmpeg.text(
        tools.ffprobe,
        ["-v", "error", "-show_streams", "-show_format", "-show_chapters", "-of", "json"]
          + ["-i", FFmpeg.url(path)])
    } catch let error as DepthError {
      throw DepthError.unreadable(
        file: path, reason: "is not a film that ffmpeg reads (\(Self.reason(error.message, path)))")
    }
    guard let probe = try? decoder.decode(Self.self, from: Data(text.utf8)) else {
      throw DepthError.unreadable(file: path, reason: "ffprobe gives no information about it")
    }
    return probe
  }

  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }

  /// ffmpeg's message without the file's name in front.
  private static func reason(_ message: String, _ path: String) -> String {
    let start = FFmpeg.url(path) + ": "
    return message.hasPrefix(start) ? String(message.dropFirst(start.count)) : message
  }

  /// The video stream, not a cover picture.
  var video: Stream? {
    streams.first { $0.codecType == "video" && !$0.isAttachedPicture && ($0.width ?? 0) > 0 }
  }

  /// Duration in seconds; `nil` if unknown.
  var seconds: Double? {
    format?.duration.flatMap { Double($0) } ?? video?.seconds
  }
}

extension FilmProbe.Stream {
  /// Duration in seconds; `nil` if unknown. Matroska stores the duration as a tag, `00:00:02.023000000`.
  var seconds: Double? {
    duration.flatMap { Double($0) } ?? tags?["DURATION"].flatMap { FilmTime($0)?.seconds }
  }

  /// Average frames per second.
  var rate: Ratio? {
    [avgFrameRate, rFrameRate].lazy.compactMap { $0.flatMap { Ratio($0) } }
      .first { $0.value != nil }
  }

  private func known(_ tag: String?) -> String? {
    tag.flatMap { ["unknown", "reserved", "unspecified", "gbr"].contains($0) ? nil : $0 }
  }

  var matrixTag: String? { known(colorSpace) }
  var transferTag: String? { known(colorTransfer) }
  var primariesTag: String? { known(colorPrimaries) }

  /// The colors of a film with high dynamic range; `nil` for standard dynamic range.
  ///
  /// The maximum luminance is the film's content light level, from the file or the first frames, or else the mastering
  /// display's luminance.
  func highDynamicRange(_ first: FirstFrames) -> ColorCoding? {
    let tags = ColorTags(of: self)
    guard let transfer = tags.transfer, [16, 18].contains(transfer) else { return nil }
    let data = (sideDataList ?? []) + first.sideData
    let content = data.lazy.compactMap(\.maxContent).first { $0 > 0 }.map(Double.init)
    let screen = data.lazy.compactMap { $0.maxLuminance.flatMap { Ratio($0)?.value } }.first
    return ColorCoding(
      primaries: tags.primaries ?? 2, transfer: transfer, brightest: content ?? screen ?? 0)
  }

  /// Whether alpha has its own track, as in WebM.
  var hasAlphaStream: Bool {
    tags?.contains { $0.key.lowercased() == "alpha_mode" && $0.value == "1" } ?? false
  }

  /// Whether the bytes of alpha are unused, as in AVI's uncompressed 32-bit pixels.
  var leavesAlphaUnused: Bool {
    codecName == "rawvideo" && codecTagString == "[0][0][0][0]"
  }

  /// The profile of Dolby Vision if its base layer is in a color space that only Dolby's players support; else `nil`.
  ///
  /// > Source: Dolby, “Dolby Vision Profiles and Levels”: from profile 8 on, the number after the point is the compatibility.
  var dolbyVisionAlone: String? {
    let record = (sideDataList ?? []).first {
      $0.sideDataType == "DOVI configuration record" && $0.dvBlSignalCompatibilityId == 0
    }
    guard let record else { return nil }
    guard let profile = record.dvProfile else { return "unknown" }
    return profile < 8 ? "\(profile)" : "\(profile).0"
  }

  var isInterlaced: Bool { ["tt", "bb", "tb", "bt"].contains(fieldOrder ?? "") }

  /// Whether frames may be interlaced, because the file states no field order.
  var mayBeInterlaced: Bool { fieldOrder == nil || fieldOrder == "unknown" }

  var siting: Y4MHeader.Siting {
    switch chromaLocation {
    case "center": .center
    case "topleft": .topLeft
    // The default of MPEG-2 and later standards.
    default: .left
    }
  }
}
