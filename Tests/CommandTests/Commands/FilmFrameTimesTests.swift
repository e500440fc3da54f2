import DepthImages
import Foundation
import FrameStreams
import Testing
import _TestSupport

@testable import FilmFiles

/// Times of a film's frames and segments, and of the film's end.
@Suite struct FilmFrameTimesTests {
  private static let source = "-f lavfi -i testsrc2=size=64x48"

  /// Microseconds of a film's frames, by segment.
  private func times(_ path: String, segment: Double? = nil) throws -> [[Int]] {
    let tools = try FFmpeg()
    let film = try InputFilm(
      path, excerpt: FilmExcerpt(), preview: nil, encoder: "libx264", keepsChroma: false,
      tools: tools)
    let decoder = try FilmDecoder(path, film, skipping: 0, tools: tools)
    let reader = try decoder.reader(
      film.decoding, limits: ImageLimits(), firstIndex: 0, makesViews: false, isStopped: { false })
    let frames = FilmFrames(
      reader: reader, decoder: decoder, origin: nil, last: nil, segment: segment,
      isStopped: { false })
    var segments: [[Int]] = []
    while try frames.beginSegment() != nil {
      var times: [Int] = []
      while let frame = try frames.next() { times.append(frame.microseconds) }
      segments.append(times)
    }
    #expect(decoder.finish() == nil)
    return segments
  }

  /// The pictures may begin later than the sound.
  @Test("segments count from the first frame", .withFFmpeg)
  func segmentsCountFromTheFirstFrame() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "-itsoffset 0.3 \(Self.source):rate=10 -f lavfi -i sine -t 1.5 -c:v libx264 -bf 0 "
        + "-c:a pcm_s16le in.mkv", in: folder)
    let found = try times(folder.path("in.mkv"), segment: 0.5)
    #expect(found.map(\.count) == [5, 5, 2])
    #expect(found.compactMap(\.first) == [300_000, 800_000, 1_300_000])
  }

  /// Matroska rounds times to milliseconds, but encoders refuse two frames of one time.
  @Test("frames with equal times get increasing times", .withFFmpeg)
  func timesGrow() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "\(Self.source):rate=4000 -frames:v 8 -c:v ffv1 -vsync passthrough in.mkv", in: folder)
    let stored = try FilmTools.times(folder.path("in.mkv"))
    try #require(stored.count == 8 && Set(stored).count < 8)
    let found = try times(folder.path("in.mkv")).flatMap { $0 }
    #expect(found.count == 8)
    #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 }, "\(found)")
  }

  /// A segment's length may have zeros after the decimal point.
  @Test("segments follow each other exactly", .withFFmpeg)
  func segmentsFollowEachOtherExactly() throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg("\(Self.source):rate=25 -t 2.4 -c:v libx264 in.mkv", in: folder)
    let outcome = try FilmTools.video(
      [
        "in.mkv", "out.mkv", "--stereo", "left", "--depth-every", "60", "--segments",
        "--segment-length", "1.04s",
      ], in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(
      try FilmTools.times(folder.path("out.mkv")) == FilmTools.times(folder.path("in.mkv")))
  }

  /// Matroska's length tag counts from time zero. MP4's fields count from the stream's first frame.
  /// Both lengths are converted to the film's beginning.
  @Test(
    "the end of the pictures counts from the film's beginning", .withFFmpeg,
    arguments: [
      ("mov,mp4,m4a,3gp,3g2,mj2", #""duration":"10""#, 11),
      ("matroska,webm", #""tags":{"DURATION":"00:00:10.000000000"}"#, 8),
      ("avi", #""duration":"10""#, nil),
    ] as [(String, String, Double?)])
  func theEndCountsFromTheFilmsBeginning(format: String, length: String, end: Double?) throws {
    let text =
      #"{"streams":[{"index":0,"codec_type":"video","width":64,"height":48,"start_time":"3",\#(length)}],"#
      + #""format":{"format_name":"\#(format)","start_time":"2","duration":"12"}}"#
    let probe = try FilmProbe.decoder.decode(FilmProbe.self, from: Data(text.utf8))
    #expect(try probe.pictureEnd("film", by: FFmpeg()) == end)
  }
}
