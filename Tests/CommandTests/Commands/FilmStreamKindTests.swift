import Foundation
import Testing
import _TestSupport

/// Films with covers and with streams of unknown kinds.
@Suite struct FilmStreamKindTests {
  private static let source = "-f lavfi -i testsrc2=size=64x48:rate=10"

  /// Television, cameras and HLS add streams of private kinds.
  @Test(
    "a stream of unknown kind is left out and named",
    .withFFmpeg, arguments: [0x89, 0xA2, 0xC5] as [UInt8])
  func unknownKindsAreLeftOut(kind: UInt8) throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "\(Self.source) -f lavfi -i testsrc2=size=16x16:rate=10 -t 0.5 -map 0 -map 1 -c:v:0 libx264 "
        + "-c:v:1 rawvideo whole.ts", in: folder)
    var bytes = try TemporaryFolder.bytes(of: folder.path("whole.ts"))
    for start in stride(from: 0, to: bytes.count, by: 188) { Self.rename(&bytes, at: start, kind) }
    let path = try folder.write(bytes, to: "in.ts")
    let kinds = try FilmTools.streams(path).map { $0["codec_type"] as? String }
    try #require(kinds == ["video", nil])
    let outcome = try FilmTools.video(["in.ts", "out.mp4", "--depth", "--json"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.text.contains(#""notes":["leaves out a stream of unknown kind"]"#), "\(outcome.text)")
    #expect(try FilmTools.streams(folder.path("out.mp4")).count == 1)
    #expect(try FilmTools.times(folder.path("out.mp4")).count == 5)
  }

  /// Changes the kind of the private stream (kind 6) in a packet's table (PID 4096).
  private static func rename(_ bytes: inout [UInt8], at start: Int, _ kind: UInt8) {
    guard bytes[start + 1] & 0x1F == 0x10, bytes[start + 2] == 0, bytes[start + 4] == 0
    else { return }
    let table = start + 5
    let end = table + 3 + Int(bytes[table + 1] & 0x0F) << 8 + Int(bytes[table + 2]) - 4
    var entry = table + 12 + Int(bytes[table + 11])
    while entry < end {
      if bytes[entry] == 6 { bytes[entry] = kind }
      entry += 5 + Int(bytes[entry + 4])
    }
    // ISO/IEC 13818-1, annex A.
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes[table..<end] {
      sum ^= UInt32(byte) << 24
      for _ in 0..<8 { sum = sum << 1 ^ (sum >> 31 == 1 ? 0x04C1_1DB7 : 0) }
    }
    for index in 0..<4 { bytes[end + index] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * index)) }
  }

  /// Cases state the film, ffmpeg's arguments for covers, and the names of the covers.
  @Test(
    "a cover stays in containers with covers", .withFFmpeg,
    arguments: [
      ("in.mkv", "-attach c.jpg -metadata:s:t:0 mimetype=image/jpeg", ["c.jpg"]),
      ("in.mkv", "-attach c.png -metadata:s:t:0 mimetype=image/png", ["c.png"]),
      (
        "in.mp4",
        "-i c.jpg -i c.png -map 0 -map 1 -map 2 -c:v:1 copy -disposition:v:1 attached_pic "
          + "-c:v:2 copy -disposition:v:2 attached_pic", ["cover.jpg", "cover2.png"]
      ),
    ])
  func coversAreNoFilms(input: String, words: String, names: [String]) throws {
    let folder = try TemporaryFolder()
    for cover in ["c.jpg", "c.png"] {
      try FilmTools.ffmpeg(
        "-f lavfi -i testsrc2=size=16x16 -frames:v 1 -update 1 \(cover)", in: folder)
    }
    try FilmTools.ffmpeg("\(Self.source) \(words) -t 0.5 -c:v:0 libx264 \(input)", in: folder)
    for output in ["out.mkv", "out.mp4", "out.mov"] {
      let outcome = try FilmTools.video([input, output, "--depth", "--json"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let streams = try FilmTools.streams(folder.path(output))
      let isCover = streams.map { ($0["disposition"] as? [String: Int])?["attached_pic"] }
      // QuickTime has no place for a cover.
      #expect(isCover == [0] + (output == "out.mov" ? [] : names.map { _ in 1 }), "\(output)")
      #expect(
        outcome.text.contains("leaves out a cover picture") == (output == "out.mov"),
        "\(outcome.text)")
    }
    let bytes = Data(try TemporaryFolder.bytes(of: folder.path("out.mkv")))
    // One track, and an attachment with the cover's name and bytes.
    #expect(bytes.ranges(of: [0x86, 0x8F] + Data("V_MPEG4/ISO/AVC".utf8)).count == 1)
    #expect(bytes.firstRange(of: Data("V_MJPEG".utf8)) == nil)
    for name in names {
      #expect(bytes.firstRange(of: Data(name.utf8)) != nil)
      let cover = try TemporaryFolder.bytes(of: folder.path("c.\(name.suffix(3))"))
      #expect(bytes.firstRange(of: Data(cover)) != nil)
    }
  }
}
