import DepthBase
import DepthErrors
import SystemEssentials

/// Trials of ffmpeg's muxer, which check that a container supports a film's streams together with the new pictures.
///
/// Support depends on ffmpeg's version and on other properties besides the codec, and some muxers write streams
/// that no demuxer recognizes. Therefore one second of the film is muxed like the whole film, and read back.
struct MuxerTrial: Sendable {
  private let muxer: FilmMuxer
  private let pictures: FilmMuxer.Piece
  private let file: String

  /// - Parameters:
  ///   - muxer: The muxer of the film.
  ///   - pictures: A file with a few pictures of the film's encoder.
  ///   - file: The path of a temporary file for trials.
  init(of muxer: FilmMuxer, pictures: String, writing file: String) {
    var muxer = muxer
    muxer.excerpt.duration = min(muxer.excerpt.duration ?? 1, 1)
    muxer.packing = nil
    self.muxer = muxer
    self.pictures = FilmMuxer.Piece(file: pictures, microseconds: 0)
    self.file = file
  }

  /// The reason why a container does not support some streams; `nil` if the container supports all streams.
  ///
  /// - Parameter handlings: The streams' handlings, by their numbers in the film.
  /// - Throws: `DepthError` for errors unrelated to the streams, such as a full disk.
  func fault(of handlings: [Int: StreamHandling], in container: FilmContainer) throws -> String? {
    defer { unsafe unlink(file) }
    do {
      try muxer.write([pictures], by: handlings, withCovers: false, to: file, as: container)
    } catch let error as DepthError {
      guard !error.isTemporary else { throw error }
      return error.message
    }
    // A file too short for its demuxer is inconclusive.
    let written = try? FilmProbe.streams(of: file, by: muxer.tools)
    return written.flatMap { mismatch(handlings, $0) }
  }

  /// The properties of sound after encoding; `nil` if the trial contains no sound.
  ///
  /// - Throws: See ``fault(of:in:)``.
  func encoded(
    _ stream: FilmProbe.Stream, _ encoder: StreamEncoder, in container: FilmContainer
  ) throws -> FilmProbe.Stream? {
    defer { unsafe unlink(file) }
    try muxer.write(
      [pictures], by: [stream.index: .encoded(encoder)], withCovers: false, to: file, as: container)
    let written = try? FilmProbe.streams(of: file, by: muxer.tools)
    return written?.streams.first { $0.codecType == "audio" }
  }

  /// A stream that is read back as a different kind of stream; `nil` without such a stream.
  private func mismatch(_ handlings: [Int: StreamHandling], _ written: FilmProbe) -> String? {
    let found = written.streams.filter { !$0.isAttachedPicture }
    var place = 0
    for stream in muxer.probe.streams where !stream.isAttachedPicture {
      let isPictures = stream.index == muxer.probe.video?.index
      guard isPictures || handlings[stream.index] != nil else { continue }
      // Streams without a packet in the trial may be missing.
      guard place < found.count else { return nil }
      let codec =
        isPictures ? muxer.codec : handlings[stream.index]?.codec(of: stream, muxer.tools) ?? ""
      guard found[place].codecType == stream.codecType, found[place].holds(codec) else {
        return "\(codec) is read back as \(found[place].codecName ?? "an unknown codec")"
      }
      place += 1
    }
    return nil
  }
}

extension StreamHandling {
  /// ffmpeg's name of a stream's codec in the new film.
  func codec(of stream: FilmProbe.Stream, _ tools: FFmpeg) -> String {
    switch self {
    case .copied: stream.codecName ?? ""
    case .encoded(let encoder): tools.encoders[encoder.name] ?? encoder.name
    }
  }
}

extension FilmProbe.Stream {
  /// Whether the stream has this codec, or a codec that demuxers cannot distinguish from this codec.
  fileprivate func holds(_ codec: String) -> Bool {
    let names = [
      ["mp1", "mp2", "mp3"], ["aac", "aac_latm"], ["subrip", "srt", "text"], ["ass", "ssa"],
      ["ac3", "eac3"],
    ]
    let name = codecName ?? ""
    return name == codec || names.contains { $0.contains(codec) && $0.contains(name) }
  }
}
