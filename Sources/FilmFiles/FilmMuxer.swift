import DepthBase
package import PictureFiles
import SystemEssentials

/// Muxes encoded pictures with the sound and all other parts of a film.
package struct FilmMuxer: Sendable {
  let path: String
  let probe: FilmProbe
  var excerpt: FilmExcerpt
  /// `nil` for one view.
  var packing: ViewPacking?
  let metadata: MetadataPolicy
  let tools: FFmpeg
  /// Ticks per second of the segments.
  private let pieceTicks: Int
  /// ffmpeg's name of the segments' codec.
  let codec: String

  /// - Parameters:
  ///   - path: The film whose frames are encoded.
  ///   - metadata: The policy for the film's tags.
  package init(_ path: String, _ encoding: FilmEncoding, metadata: MetadataPolicy) {
    self.metadata = metadata
    let (film, codec) = (encoding.film, encoding.settings.codec)
    (self.path, probe, excerpt) = (path, film.probe, film.excerpt)
    (packing, tools) = (encoding.packing, encoding.tools)
    pieceTicks = encoding.settings.pieceTicks
    self.codec = tools.encoders[codec] ?? codec
  }

  /// Encoded pictures of one segment of the film.
  package struct Piece: Sendable {
    let file: String
    /// Time of the segment's first picture.
    let microseconds: Int

    package init(file: String, microseconds: Int) {
      (self.file, self.microseconds) = (file, microseconds)
    }
  }

  /// Writes the new film.
  ///
  /// - Parameters:
  ///   - pieces: The segments in order, at least one.
  ///   - lastEnd: Microseconds at which the last picture ends; `nil` for the duration of other pictures.
  ///   - handlings: The handling of each copied stream, by its number in the input.
  ///   - seconds: The end of all streams; `nil` for the film's end.
  ///   - withCovers: Whether Matroska files contain the film's covers.
  /// - Throws: `DepthError` with ffmpeg's message for an incomplete file, even if ffmpeg reports success.
  package func write(
    _ pieces: [Piece], by handlings: [Int: StreamHandling], lastUntil lastEnd: Int? = nil,
    upTo seconds: Double? = nil, withCovers: Bool = true, to output: String,
    as container: FilmContainer
  ) throws {
    let first = pieces[0]
    var input = ["-i", FFmpeg.url(first.file)]
    if pieces.count > 1 {
      let list = first.file + ".ffconcat"
      try AtomicFile.write(Array(concatenation(pieces).utf8), to: URL(filePath: list))
      input = ["-f", "concat", "-safe", "0", "-i", FFmpeg.url(list)]
    }
    let isMP4 = container.isMP4
    // Without this option, ffmpeg chooses a time scale.
    let scale = timescale ?? (lastEnd == nil ? nil : 90_000)
    let ticks = isMP4 ? scale : ["matroska", "webm"].contains(container.muxer) ? 1000 : nil
    var durations: String?
    if let lastEnd, let ticks, tools.setsDurations {
      durations = Self.durations(until: lastEnd, ticks, pieceTicks)
    }
    var (streams, count) = streams(by: handlings, container, durations)
    if withCovers, container.muxer == "matroska" {
      streams += try covers(beside: first.file, after: count)
    }
    var arguments = ["-hide_banner", "-loglevel", "level+error", "-nostats", "-y"]
    arguments += first.microseconds > 0 ? ["-itsoffset", "\(first.microseconds)us"] : []
    arguments += input + excerpt.arguments + ["-i", FFmpeg.url(path)] + streams
    arguments += ["-map_metadata", "1", "-map_chapters", "1"]
    arguments += metadata.removing(probe.format?.tags, by: "-metadata")
    if isMP4 { arguments += metadata.keepingLocation(of: probe.format?.tags) }
    // Packets before the start would shift all other packets.
    if excerpt.start != nil { arguments += ["-copypriorss", "0"] }
    if isMP4, let scale { arguments += ["-video_track_timescale", "\(scale)"] }
    if let seconds { arguments += ["-t", FFmpeg.time(seconds)] }
    arguments += ["-f", container.muxer, FFmpeg.url(output)]
    arguments += probe.commonStart(input: 1, upTo: seconds)
    let child = try ChildProcess(tools.ffmpeg, arguments)
    if let failure = child.writeFailure(child.finish()) { throw failure }
    if isMP4, let mode = packing?.box {
      try StereoBox(mode: mode).insert(into: output)
    }
    if let side = packing?.halved, packing?.stereoMode(in: container) != nil {
      try MatroskaDisplay(halved: side).correct(output)
    }
  }

  /// A packet filter that extends all pictures to the same end.
  ///
  /// Only the last picture is affected, because the next picture replaces each earlier picture.
  ///
  /// The filter's ticks are the file's ticks in ffmpeg 5.1, and the segments' ticks in 9.0. A time after the end in the
  /// coarser ticks must therefore be in the finer ticks.
  ///
  /// - Parameters:
  ///   - end: The common end in microseconds.
  ///   - ticks: Ticks per second of the file and of the segments.
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

  /// ffmpeg's list of files to join, stored in the files' folder. Each duration extends to the next file's first picture.
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
}
