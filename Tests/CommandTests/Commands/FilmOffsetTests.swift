import Foundation
import Testing
import _TestSupport

/// Films whose sound and pictures begin at different times.
@Suite struct FilmOffsetTests {
  /// Seconds from the beginning of the pictures to the beginning of the sound.
  private func offset(_ path: String) throws -> Double {
    let times = try FilmTools.streams(path).reduce(into: [String: Double]()) { times, stream in
      guard let kind = stream["codec_type"] as? String else { return }
      times[kind] = (stream["start_time"] as? String).flatMap { Double($0) }
    }
    return try #require(times["audio"]) - #require(times["video"])
  }

  /// In some formats, ffmpeg moves the streams in use to time zero.
  /// Decoding and copying use different streams.
  @Test(
    "the offset between sound and pictures stays", .withFFmpeg,
    arguments: ["ts", "vob"] + SlowTests.only(["m2ts", "mpg", "ogv", "mkv"]), [0.47, -0.53])
  func theOffsetStays(ending: String, seconds: Double) throws {
    let folder = try TemporaryFolder()
    let codecs =
      switch ending {
      case "mpg", "vob": "-c:v mpeg2video -c:a mp2"
      case "ogv": "-c:v libtheora -c:a libvorbis"
      default: "-c:v libx264 -c:a aac"
      }
    // Nothing before time zero is kept, so the later stream is shifted.
    // Containers other than Matroska would fill that time with copies of the first picture.
    let (pictures, sound) = seconds < 0 ? (-seconds, 0) : (0, seconds)
    try FilmTools.ffmpeg(
      "-itsoffset \(pictures) -f lavfi -i testsrc2=size=64x48:rate=25:duration=1 -itsoffset \(sound) -f lavfi "
        + "-i sine=duration=1 -map 0 -map 1 \(codecs) first.mkv", in: folder)
    try FilmTools.ffmpeg("-i first.mkv -c copy in.\(ending)", in: folder)
    let copies = ending == "ogv" || ending == "mkv" ? "mkv" : "ts"
    try FilmTools.ffmpeg("-i in.\(ending) -map 0 -c copy copy.\(copies)", in: folder)
    let wanted = try offset(folder.path("copy.\(copies)"))
    // Vorbis in Ogg cannot begin late.
    if ending != "ogv" || seconds < 0 { try #require(abs(wanted - seconds) < 0.1) }
    for output in ["mp4", "mkv"] {
      for segments in [[], ["--segments", "--segment-length", "0.4s"]] {
        let outcome = try FilmTools.video(
          ["in.\(ending)", "out.\(output)", "--depth", "--depth-every", "9", "--overwrite"]
            + segments, in: folder)
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let found = try offset(folder.path("out.\(output)"))
        #expect(abs(found - wanted) <= 0.01, "\(output) \(segments): \(found), expected \(wanted)")
      }
    }
  }

  @Test("parts and new sound keep the offset to pictures", .withFFmpeg, arguments: [0.47, -0.53])
  func partsAndNewSoundKeepTheOffset(seconds: Double) throws {
    let folder = try TemporaryFolder()
    let (pictures, sound) = seconds < 0 ? (-seconds, 0) : (0, seconds)
    try FilmTools.ffmpeg(
      "-itsoffset \(pictures) -f lavfi -i testsrc2=size=64x48:rate=25:duration=1 -itsoffset \(sound) -f lavfi "
        + "-i sine=sample_rate=48000:duration=1 -map 0 -map 1 -c:v libx264 -c:a s302m -strict -2 -ac 2 in.ts",
      in: folder)
    let outcome = try FilmTools.video(["in.ts", "out.mkv", "--depth", "--json"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try FilmTools.streams(folder.path("out.mkv")).last?["codec_name"] as? String == "flac")
    let found = try offset(folder.path("out.mkv"))
    #expect(abs(found - seconds) <= 0.03, "\(found)")
    // This part begins before the sound. MPEG-TS has no index to find sound before pictures.
    guard seconds > 0 else { return }
    let part = try FilmTools.video(
      ["in.ts", "part.mkv", "--depth", "--start", "0.2", "--duration", "0.6"], in: folder)
    #expect(part.status == 0, "\(part.errors)")
    let rest = try offset(folder.path("part.mkv"))
    #expect(abs(rest - seconds + 0.2) <= 0.05, "\(rest)")
  }
}
