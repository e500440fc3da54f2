import DepthBase
import StereoPhotos
import SystemEssentials
import ViewSynthesis

/// Puts encoded pictures together with the sound and everything else of a film.
struct FilmMuxer: Sendable {
  let path: String
  let probe: FilmProbe
  let excerpt: FilmExcerpt
  let stereo: StereoFormat?
  let tools: FFmpeg
  /// Ticks of the pieces in a second.
  let pieceTicks: Int

  /// Encoded pictures of one piece of the film.
  struct Piece: Sendable {
    let file: String
    /// Time of its first picture.
    let microseconds: Int
  }

  /// Writes the file.
  ///
  /// - Parameters:
  ///   - pieces: In their order, at least one.
  ///   - lateEnd: Microseconds at which the last picture ends; `nil` for one that is shown as long as others.
  ///   - seconds: Where everything ends; `nil` at the film's end.
  ///   - output: Its extension selects the container.
  /// - Returns: What was left out.
  /// - Throws: `DepthError` with ffmpeg's reason, also where ffmpeg itself takes an incomplete file for a success.
  func write(
    _ pieces: [Piece], lastUntil lateEnd: Int?, upTo seconds: Double?, to output: String,
    as container: String
  ) throws -> [String] {
    let first = pieces[0]
    var input = ["-i", FFmpeg.url(first.file)]
    if pieces.count > 1 {
      let list = first.file + ".ffconcat"
      try AtomicFile.write(Array(concatenation(pieces).utf8), to: URL(filePath: list))
      input = ["-f", "concat", "-safe", "0", "-i", FFmpeg.url(list)]
    }
    let isMP4 = container == "mp4" || container == "mov"
    // Without one, ffmpeg chooses it.
    let scale = timescale ?? (lateEnd == nil ? nil : 90_000)
    let ticks = isMP4 ? scale : ["matroska", "webm"].contains(container) ? 1000 : nil
    var durations: String?
    if let lateEnd, let ticks, tools.setsDurations {
      durations = Self.durations(until: lateEnd, ticks, pieceTicks)
    }
    var (streams, count, warnings) = streams(container, durations)
    if container == "matroska" { streams += try covers(beside: first.file, after: count) }
    var arguments = ["-hide_banner", "-loglevel", "level+error", "-nostats", "-y"]
    arguments += first.microseconds > 0 ? ["-itsoffset", "\(first.microseconds)us"] : []
    arguments += input + excerpt.arguments + ["-i", FFmpeg.url(path)] + streams
    arguments += ["-map_metadata", "1", "-map_chapters", "1"]
    // Packets from before the beginning would move everything else.
    if excerpt.start != nil { arguments += ["-copypriorss", "0"] }
    if isMP4, let scale { arguments += ["-video_track_timescale", "\(scale)"] }
    if let seconds { arguments += ["-t", FFmpeg.time(seconds)] }
    arguments += ["-f", container, FFmpeg.url(output)]
    let child = try ChildProcess(tools.ffmpeg, arguments)
    if let failure = child.writeFailure(child.finish()) { throw failure }
    if isMP4, let mode = stereo?.isoMode {
      try StereoBox(mode: mode).insert(into: output)
    }
    return warnings
  }

  /// A filter of packets that lets all pictures end together, which containers take for the end of the last one only: before
  /// the others end, the next one comes.
  ///
  /// Versions of ffmpeg differ in the ticks that the filter counts in: 5.1 in those of the file, 9.0 in those of the
  /// pieces. A time that is over in the coarser ones is in the finer ones.
  ///
  /// - Parameters:
  ///   - end: Microseconds.
  ///   - ticks: Of the file and of the pieces, in a second.
  private static func durations(until end: Int, _ ticks: Int...) -> String {
    let ends = ticks.map { Int((Double(end) / 1_000_000 * Double($0)).rounded()) }
    let (coarse, fine) = (ends.min() ?? 0, ends.max() ?? 0)
    return
      "setts=pts=PTS:dts=DTS:duration=if(gt(PTS\\,\(coarse))\\,\(fine)-PTS\\,\(coarse)-PTS)"
  }

  /// Ticks per second of the film's pictures.
  private var timescale: Int? {
    guard let parts = probe.video?.timeBase?.split(separator: "/"), parts.count == 2,
      parts[0] == "1", let scale = Int(parts[1]), (1000...1_000_000).contains(scale)
    else { return nil }
    return scale
  }

  /// ffmpeg's list of files to join, which lies beside them; durations reach to the next one's first picture.
  private func concatenation(_ pieces: [Piece]) -> String {
    var text = "ffconcat version 1.0\n"
    for (index, piece) in pieces.enumerated() {
      text += "file '\(URL(filePath: piece.file).lastPathComponent)'\n"
      guard index + 1 < pieces.count else { continue }
      let duration = pieces[index + 1].microseconds - piece.microseconds
      let fraction = String(1_000_000 + duration % 1_000_000).dropFirst()
      text += "duration \(duration / 1_000_000).\(fraction)\n"
    }
    return text
  }

  /// Options that take the film's streams over in their order, the new pictures in the place of the old ones, and how
  /// many these are.
  ///
  /// - Parameter durations: A filter of the new pictures' packets.
  private func streams(
    _ container: String, _ durations: String?
  ) -> (arguments: [String], count: Int, warnings: [String]) {
    var (arguments, warnings): ([String], [String]) = (["-c", "copy"], [])
    var index = 0
    func take(_ map: String, _ stream: FilmProbe.Stream, _ options: [String] = []) {
      arguments += ["-map", map, "-map_metadata:s:\(index)", "1:s:\(stream.index)"] + options
      index += 1
    }
    for stream in probe.streams {
      let name = stream.codecName ?? ""
      let own = "1:\(stream.index)"
      switch stream.codecType {
      case _ where stream.index == probe.video?.index:
        let filter = durations.map { ["-bsf:\(index)", $0] } ?? []
        take("0:v:0", stream, tags(at: index, container) + filter)
      case "audio": take(own, stream)
      case "subtitle":
        guard let codec = Self.subtitleCodec(name, container) else {
          warnings.append("subtitles of kind \(name), which .\(container) cannot hold")
          continue
        }
        take(own, stream, ["-c:\(index)", codec])
      case "attachment" where container == "matroska": take(own, stream)
      case "video" where stream.isAttachedPicture:
        switch container {
        case "mp4": take(own, stream, ["-disposition:\(index)", "attached_pic"])
        // As an attachment, behind all streams.
        case "matroska": break
        default: warnings.append("a cover picture, which .\(container) cannot hold")
        }
      case "data": break
      default:
        let kind = stream.codecType.map { "a stream of kind \($0)" }
        warnings.append(kind ?? "a stream of unknown kind")
      }
    }
    return (arguments, index, warnings)
  }

  /// Tags of the pictures' stream. Those of the input's rotation, encoder and size are removed.
  private func tags(at index: Int, _ container: String) -> [String] {
    var values = ["rotate=", "encoder="]
    if container == "matroska" {
      if let mode = stereo?.matroskaMode { values.append("stereo_mode=\(mode)") }
      for key in ["BPS", "DURATION", "NUMBER_OF_FRAMES", "NUMBER_OF_BYTES"] {
        values += ["\(key)=", "\(key)-eng="]
      }
    }
    return values.flatMap { ["-metadata:s:\(index)", $0] }
      + ["-disposition:\(index)", probe.video?.disposition?["default"] == 0 ? "0" : "default"]
  }

  /// The codec of subtitles in a container; `nil` where it has none for them.
  private static func subtitleCodec(_ name: String, _ container: String) -> String? {
    let isText = ["subrip", "srt", "ass", "ssa", "webvtt", "mov_text", "text"].contains(name)
    switch container {
    case "matroska": return name == "mov_text" ? "srt" : "copy"
    case "mp4", "mov": return isText ? (name == "mov_text" ? "copy" : "mov_text") : nil
    case "webm": return isText ? (name == "webvtt" ? "copy" : "webvtt") : nil
    default: return "copy"
    }
  }
}

extension StereoFormat {
  /// Matroska's name of the layout, as ffmpeg spells it; `nil` for one view.
  var matroskaMode: String? {
    switch self {
    case .sideBySide, .sideBySideHalf: "left_right"
    case .crossEyed: "right_left"
    case .overUnder, .overUnderHalf: "top_bottom"
    case .rowInterleaved: "row_interleaved_lr"
    case .columnInterleaved: "col_interleaved_lr"
    case .anaglyph(.greenMagenta): "anaglyph_green_magenta"
    case .anaglyph(.amberBlue): nil
    case .anaglyph: "anaglyph_cyan_red"
    default: nil
    }
  }

  /// The number of the box `st3d`; `nil` for layouts that it does not know.
  var isoMode: UInt8? {
    switch self {
    case .overUnder, .overUnderHalf: 1
    case .sideBySide, .sideBySideHalf: 2
    default: nil
    }
  }

  /// The number of the frame packing arrangement of H.264, table D-8; `nil` for layouts that it does not know.
  var framePacking: Int? {
    switch self {
    case .columnInterleaved: 1
    case .rowInterleaved: 2
    case .sideBySide, .sideBySideHalf: 3
    case .overUnder, .overUnderHalf: 4
    default: nil
    }
  }
}
