import Foundation
import Testing
import _TestSupport

/// Sound, subtitles and pictures that a new container cannot hold.
@Suite struct FilmCarriageTests {
  private static let source = "-f lavfi -i testsrc2=size=64x48:rate=10:duration=0.5"
  private static let tone = "-f lavfi -i sine=sample_rate=48000:duration=0.5"
  private static let quick = ["--depth", "--depth-every", "9", "--json", "--overwrite"]

  private static func makeFilm(_ words: String, _ name: String, in folder: TemporaryFolder) throws {
    try FilmTools.ffmpeg(
      "\(source) \(tone) -map 0 -map 1 -c:v mpeg2video -strict -2 \(words) \(name)", in: folder)
  }

  /// A film's sound as samples.
  private func samples(_ path: String) throws -> String {
    try FilmTools.sums(path, "-map 0:a -c:a pcm_s32le -f md5")
  }

  /// Lossless sound stays lossless in Matroska and QuickTime. Other containers get a common codec.
  @Test(
    "sound that does not fit the container is converted", .withFFmpeg,
    arguments: [
      // ffmpeg 6 and later put FLAC and PCM into MP4.
      ("in.mkv", "-c:a wavpack", "out.mp4", "aac", false),
      ("in.mkv", "-c:a truehd -channel_layout stereo", "out.mp4", "aac", false),
      ("in.mkv", "-c:a adpcm_ms", "out.mp4", "aac", false),
      ("in.wmv", "-c:a wmav2", "out.mp4", "aac", false),
      ("in.mkv", "-c:a flac", "out.mov", "pcm_s16le", true),
      ("in.mkv", "-c:a flac -sample_fmt s32", "out.mov", "pcm_s24le", true),
      ("in.mkv", "-c:a wavpack -sample_fmt fltp", "out.mov", "pcm_f32le", true),
      ("in.m2ts", "-c:a pcm_bluray -ac 2", "out.mkv", "flac", true),
      ("in.vob", "-c:a pcm_dvd -ac 2", "out.mkv", "flac", true),
      ("in.mkv", "-c:a pcm_s16le", "out.ts", "aac", false),
      ("in.mkv", "-c:a libopus", "out.avi", "ac3", false),
      ("in.mkv", "-c:a alac -sample_fmt s16p", "out.avi", "pcm_s16le", true),
      // Sound that fits is copied.
      ("in.mkv", "-c:a flac", "out.mkv", "flac", nil),
      ("in.mkv", "-c:a ac3 -ac 6", "out.mp4", "ac3", nil),
      ("in.mkv", "-c:a pcm_s24le", "out.mov", "pcm_s24le", nil),
    ] as [(String, String, String, String, Bool?)])
  func soundFits(
    input: String, words: String, output: String, codec: String, isExact: Bool?
  ) throws {
    let folder = try TemporaryFolder()
    try Self.makeFilm(words, input, in: folder)
    let outcome = try FilmTools.video([input, output] + Self.quick, in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let (old, new) = (folder.path(input), folder.path(output))
    #expect(try FilmTools.codecs(new).last == codec)
    let name = try FilmTools.codecs(old).last ?? ""
    let notes = try FilmTools.notes(outcome)
    let ending = "." + (output.split(separator: ".").last ?? "")
    guard let isExact else {
      #expect(notes.isEmpty, "\(notes)")
      #expect(
        try FilmTools.sums(old, "-map 0:a -c copy -f md5")
          == FilmTools.sums(new, "-map 0:a -c copy -f md5"))
      return
    }
    #expect(
      notes == ["its sound of kind \(name) becomes \(codec), as \(ending) cannot hold it"],
      "\(notes)")
    if isExact { #expect(try samples(old) == samples(new)) }
    let packets = try #require(
      try FilmTools.probe(new, "-select_streams a:0 -show_entries packet=pts_time")["packets"]
        as? [[String: Any]])
    let times = packets.compactMap { ($0["pts_time"] as? String).flatMap { Double($0) } }
    let length = try #require(times.last) - (times.first ?? 0)
    #expect(abs(length - 0.5) < 0.15, "\(length)")
  }

  /// WebM takes Opus, which orders six channels differently from AC-3.
  @Test(
    "sound in WebM becomes Opus with its channels", .withFFmpeg("libopus", "libvpx"),
    arguments: ["-c:a aac -ac 2", "-c:a ac3 -ac 6", "-c:a ac3 -af aformat=channel_layouts=2.1"])
  func soundOfWebM(words: String) throws {
    let folder = try TemporaryFolder()
    try Self.makeFilm(words, "in.mkv", in: folder)
    let outcome = try FilmTools.video(
      ["in.mkv", "out.webm", "--codec", "libvpx"] + Self.quick, in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let sound = try #require(try FilmTools.streams(folder.path("out.webm")).last)
    #expect(sound["codec_name"] as? String == "opus")
    #expect(sound["channels"] as? Int == (words.contains("-ac 6") ? 6 : 2), "\(sound)")
  }

  @Test(
    "lost channels of sound are noted", .withFFmpeg,
    arguments: [
      ("7.1(wide)", "mp4", "aac with channels 5.1 instead of 7.1(wide)"),
      ("5.1(side)", "mp4", "aac"),
      ("7.1", "mp4", "aac"), ("7.1", "ts", "aac"), ("5.1", "mp4", "aac"),
    ])
  func lostChannelsAreNamed(layout: String, ending: String, sound: String) throws {
    let folder = try TemporaryFolder()
    try Self.makeFilm("-af aformat=channel_layouts=\(layout) -c:a wavpack", "in.mkv", in: folder)
    let outcome = try FilmTools.video(["in.mkv", "out.\(ending)"] + Self.quick, in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try FilmTools.notes(outcome)
        == ["its sound of kind wavpack becomes \(sound), as .\(ending) cannot hold it"])
  }

  /// Like photos, films keep the location only with an option.
  @Test(
    "a film keeps its location only on request", .withFFmpeg,
    arguments: [
      ("in.mp4", "out.mp4"), ("in.mkv", "out.mkv"), ("in.mkv", "out.mp4"), ("in.mp4", "out.mkv"),
    ])
  func locationIsKeptOnRequest(input: String, output: String) throws {
    let folder = try TemporaryFolder()
    let secrets = [
      "location": "+48.1000+011.5000/", "com.apple.quicktime.location.ISO6709": "+48.1-ATLANTIS/",
      "OwnerName": "ATLANTIS", "camera_serial_number": "ATLANTIS",
    ]
    let tags = secrets.merging(["title": "Film", "copyright": "A"]) { $1 }
    try Self.makeFilm(
      "-c:a aac -metadata:s:1 language=deu -metadata:s:1 location=ATLANTIS "
        + tags.sorted { $0.key < $1.key }.map { "-metadata \($0)=\($1)" }.joined(separator: " "),
      input, in: folder)
    for (options, hasPlace, hasTitle) in [
      ([], false, true), (["--keep-location"], true, true), (["--strip-metadata"], false, false),
    ] {
      let outcome = try FilmTools.video([input, output] + Self.quick + options, in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.text.contains("\"keep_location\":\(options == ["--keep-location"])"))
      let format = try FilmTools.probe(folder.path(output))["format"] as? [String: Any]
      let found = try #require(format?["tags"] as? [String: String])
      let kept = Dictionary(found.map { ($0.lowercased(), $1) }) { $1 }
      // MP4 stores the location as numbers.
      #expect((kept["location"] != nil) == hasPlace, "\(options): \(kept)")
      if !hasPlace {
        let bytes = try TemporaryFolder.bytes(of: folder.path(output))
        #expect(!LocatedPhoto.occurs("+48.1", in: bytes), "\(options)")
        #expect(!LocatedPhoto.occurs("ATLANTIS", in: bytes), "\(options)")
      }
      #expect((kept["title"] == "Film") == hasTitle && kept["copyright"] == "A", "\(kept)")
      let sound = try FilmTools.streams(folder.path(output)).last?["tags"] as? [String: String]
      #expect(sound?["language"] == "deu", "\(sound ?? [:])")
    }
    let both = try FilmTools.video(
      [input, output, "--keep-location", "--strip-metadata"] + Self.quick, in: folder)
    #expect(both.status == 64 && both.errors.contains("exclude each other"), "\(both.errors)")
  }

  /// iPhones use another tag for the location, which ffmpeg does not write to MP4 and MOV.
  @Test("location in Apple's tag is kept only on request", .withFFmpeg, arguments: ["mov", "mp4"])
  func locationOfAppleIsKeptOnRequest(ending: String) throws {
    let folder = try TemporaryFolder()
    let name = "com.apple.quicktime.location.ISO6709"
    try FilmTools.ffmpeg(
      "\(Self.source) -c:v mpeg4 -movflags use_metadata_tags -metadata \(name)=+48.1000+011.5000/ in.mov",
      in: folder)
    for (options, isKept) in [([], false), (["--keep-location"], true)] {
      let outcome = try FilmTools.video(
        ["in.mov", "out.\(ending)"] + Self.quick + options, in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let format = try FilmTools.probe(folder.path("out.\(ending)"))["format"] as? [String: Any]
      let place = (format?["tags"] as? [String: String])?["location"]
      #expect(place?.hasPrefix("+48.1") == (isKept ? true : nil), "\(place ?? "")")
    }
  }

  /// Sound after a gap must not come early.
  @Test("a gap in the sound stays", .withFFmpeg, arguments: ["mp4", "mov", "avi", "mkv"])
  func gapsInSoundStay(ending: String) throws {
    let folder = try TemporaryFolder()
    let gap = "aselect='lt(t,0.4)+gt(t,1.2)'"
    try FilmTools.ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=10:duration=2 -f lavfi -i sine=duration=2 -map 0 -map 1 "
        + "-af \(gap) -c:v mpeg2video -c:a pcm_s16le in.mkv", in: folder)
    let outcome = try FilmTools.video(["in.mkv", "out.\(ending)"] + Self.quick, in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let packets = try FilmTools.probe(
      folder.path("out.\(ending)"), "-select_streams a -show_entries packet=pts_time")
    let times = try #require(packets["packets"] as? [[String: Any]]).compactMap {
      ($0["pts_time"] as? String).flatMap { Double($0) }
    }
    #expect(abs(try #require(times.last) - 2) < 0.15, "\(times.last ?? 0)")
  }

  @Test(
    "subtitles that do not fit the container are noted", .withFFmpeg,
    arguments: [
      ("in.mkv", "ass", "out.mp4", "mov_text"), ("in.mkv", "srt", "out.mov", "mov_text"),
      ("in.mp4", "mov_text", "out.mkv", "subrip"), ("in.mkv", "ass", "out.mkv", "ass"),
      ("in.mkv", "ass", "out.avi", nil), ("in.mkv", "ass", "out.ts", nil),
      ("in.mkv", "srt", "out.ts", nil),
    ] as [(String, String, String, String?)])
  func subtitlesFit(input: String, codec: String, output: String, new: String?) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Array("1\n00:00:00,100 --> 00:00:00,300\nHello\n".utf8), to: "s.srt")
    try FilmTools.ffmpeg(
      "\(Self.source) -i s.srt -map 0 -map 1 -c:v mpeg2video -c:s \(codec) \(input)", in: folder)
    let outcome = try FilmTools.video([input, output] + Self.quick, in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let name = codec == "srt" ? "subrip" : codec
    #expect(try FilmTools.codecs(folder.path(output)).dropFirst() == (new.map { [$0] } ?? []))
    let ending = "." + (output.split(separator: ".").last ?? "")
    let note =
      new.map { "its subtitles of kind \(name) become \($0), as \(ending) cannot hold them" }
      ?? "leaves out its subtitles of kind \(name), which \(ending) cannot hold"
    #expect(try FilmTools.notes(outcome) == (new == name ? [] : [note]))
    guard new != nil else { return }
    #expect(
      try FilmTools.sums(folder.path(output), "-map 0:s -f srt").contains("Hello"))
  }

  /// Picture subtitles cannot become text.
  @Test(
    "picture subtitles that do not fit are noted",
    .withFFmpeg, arguments: [("out.mkv", true), ("out.mp4", false), ("out.webm", false)])
  func subtitlePictures(output: String, isKept: Bool) throws {
    if output.hasSuffix("webm") { try FilmTools.require("libvpx") }
    let folder = try TemporaryFolder()
    // A Blu-ray subtitle: an empty composition and an end, at 0.1 s.
    func segment(_ kind: UInt8, _ body: [UInt8]) -> [UInt8] {
      [0x50, 0x47, 0, 0, 0x23, 0x28, 0, 0, 0, 0, kind, 0, UInt8(body.count)] + body
    }
    _ = try folder.write(
      segment(0x16, [0, 64, 0, 48, 0x10, 0, 0, 0x80, 0, 0, 0]) + segment(0x80, []), to: "s.sup")
    try FilmTools.ffmpeg(
      "\(Self.source) -i s.sup -map 0 -map 1 -c:v mpeg2video -c:s copy in.mkv", in: folder)
    let codec = output.hasSuffix("webm") ? ["--codec", "libvpx"] : []
    let outcome = try FilmTools.video(["in.mkv", output] + codec + Self.quick, in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let ending = "." + (output.split(separator: ".").last ?? "")
    let note = "leaves out its subtitles of kind hdmv_pgs_subtitle, which \(ending) cannot hold"
    #expect(try FilmTools.notes(outcome) == (isKept ? [] : [note]))
    #expect(try FilmTools.streams(folder.path(output)).count == (isKept ? 2 : 1))
  }

  @Test(
    "pictures that do not fit the container are refused before decoding", .withFFmpeg,
    arguments: [
      ("libx264", "out.webm", ".mp4, .mkv, .mov, .ts, .avi"), ("ffv1", "out.mp4", ".mkv"),
      ("ffv1", "out.ts", ".mkv"),
    ])
  func picturesThatDoNotFitAreRefused(codec: String, output: String, others: String) async {
    await #expect(processExitsWith: .success) {
      [codec = codec as String, output = output as String, others = others as String] in
      let folder = try TemporaryFolder()
      try Self.makeFilm("-c:a aac", "in.mkv", in: folder)
      // No frame can be decoded, so decoding would be noticed.
      let tools = try FilmTools.standIn(
        #"case "$*" in *yuv4mpegpipe*) exit 1;; esac; exec "$real" "$@""#)
      let outcome = try FilmTools.video(
        ["in.mkv", output, "--depth", "--codec", codec], in: folder, tools: tools)
      #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
      #expect(
        outcome.errors.contains("\(output): .")
          && outcome.errors.contains(" cannot hold the new pictures (")
          && outcome.errors.contains("; this codec fits ") && outcome.errors.contains(others),
        "\(outcome.errors)")
      #expect(try folder.names == ["in.mkv"])
    }
  }

  @Test("an encoder that ffmpeg lacks is named", .withFFmpeg("libvpx"))
  func anEncoderThatFFmpegLacksIsNamed() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      try Self.makeFilm("-c:a flac", "in.mkv", in: folder)
      let tools = try FilmTools.standIn(
        #"case "$*" in *-encoders*) "$real" "$@" | grep -v -e libopus -e libvorbis;; *yuv4mpegpipe*) exit 1;; "#
          + #"*) exec "$real" "$@";; esac"#)
      let outcome = try FilmTools.video(
        ["in.mkv", "out.webm", "--depth", "--codec", "libvpx"], in: folder, tools: tools)
      #expect(outcome.status == 1)
      #expect(
        outcome.errors
          == "depth: out.webm: .webm cannot hold its sound of kind flac, and this ffmpeg has no encoder for another "
          + "kind (libopus and libvorbis); these can: .mkv, .avi\n", "\(outcome.errors)")
      #expect(try folder.names == ["in.mkv"])
    }
  }
}
