import DepthImages
import Foundation
import FrameStreams
import PictureFiles
import Testing
import _TestSupport

@testable import DepthCommands

/// `depth stream` and `depth watch` on the command line.
@Suite struct StreamTests {
  private static let size = (height: 48, width: 64)

  private func photo(_ seed: Int) -> Image {
    Image(
      height: Self.size.height, width: Self.size.width,
      pixels: (0..<Self.size.height * Self.size.width * 3).map {
        UInt8(($0 / 3 % Self.size.width * 3 + seed * 9 + $0 % 7) & 255)
      })
  }

  private func rgb(_ count: Int) -> [UInt8] { (0..<count).flatMap { photo($0).pixels } }

  private let raw = ["--from", "rgb24", "--size", "64x48"]

  @Test("every frame equals the map of predict", arguments: [1, 2, 3])
  func everyFrameIsThatOfPredict(threads: Int) throws {
    let outcome = try runDepth(
      [
        "stream", "--to", "float32", "--refine", "none", "--steady", "none", "--threads",
        "\(threads)",
      ]
        + raw, input: rgb(3))
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.count == 3 * PackagedMap.area * 4)
    #expect(outcome.errors.hasPrefix("depth: 3 frames in "))
    let folder = try TemporaryFolder()
    let png = try folder.write(photo(1).encoded(as: .png), to: "1.png")
    let predicted = try runDepth([
      "predict", png, "--refine", "none", "-o", folder.path("1.npy"),
    ])
    #expect(predicted.status == 0)
    let values = try TemporaryFolder.bytes(of: folder.path("1.npy")).suffix(PackagedMap.area * 4)
    #expect(Array(outcome.output[PackagedMap.area * 4..<2 * PackagedMap.area * 4]) == Array(values))
  }

  @Test("steady frames do not depend on threads") func steadyFramesDoNotDependOnThreads() throws {
    let runs = try [1, 3].map { threads in
      try runDepth(
        ["stream", "--to", "beside", "--threads", "\(threads)", "--quiet"] + raw, input: rgb(4))
    }
    #expect(runs[0].status == 0 && runs[0].errors.isEmpty, "\(runs[0].errors)")
    #expect(runs[0].output == runs[1].output)
    let header = "YUV4MPEG2 W128 H48 F30:1 Ip A0:0 C444 XCOLORRANGE=LIMITED XCOLORMATRIX=bt601\n"
    #expect(runs[0].output.starts(with: header.utf8))
    #expect(runs[0].output.count == header.utf8.count + 4 * (6 + 128 * 48 * 3))
  }

  @Test(
    "raw frames have number, time and size in a header",
    arguments: ["--every-frame", "--latest"])
  func rawFramesCarryTheirNumbers(queue: String) throws {
    let bytes = PackagedMap.area * 2
    let outcome = try runDepth(
      ["stream", "--to", "16uc1", "--refine", "none", "--header", "--json", "--quiet", queue]
        + ["--rate", "10"] + raw, input: rgb(3))
    #expect(outcome.status == 0 && outcome.output.count % (32 + bytes) == 0, "\(outcome.errors)")
    let lines = try BatchTests.objects(outcome.errors)
    #expect(lines.count == outcome.output.count / (32 + bytes))
    var last = -1
    for (index, line) in lines.enumerated() {
      let header = outcome.output[(32 + bytes) * index..<(32 + bytes) * index + 32]
      func number(_ range: Range<Int>) -> Int {
        range.reversed().reduce(0) { $0 << 8 | Int(header[header.startIndex + $1]) }
      }
      #expect(header.starts(with: "DPTH".utf8) && number(4..<8) == 32)
      let (frame, time) = (number(8..<16), number(16..<24))
      #expect(frame > last && frame < 3)
      last = frame
      #expect(number(24..<28) == PackagedMap.width && number(28..<32) == PackagedMap.height)
      #expect(line["frame"] as? Int == frame && line["width"] as? Int == PackagedMap.width)
      #expect(Int(((line["time"] as? Double ?? -1) * 1e6).rounded()) == time)
      if queue == "--every-frame" { #expect(frame == index && time == 100_000 * index) }
    }
    let plain = try runDepth(
      ["stream", "--to", "16uc1", "--refine", "none", "--quiet"] + raw, input: rgb(3))
    if queue == "--every-frame" {
      var frames: [UInt8] = []
      for start in stride(from: 32, to: outcome.output.count, by: 32 + bytes) {
        frames += outcome.output[start..<start + bytes]
      }
      #expect(frames == plain.output)
    }
    let picture = try runDepth(["stream", "--header"] + raw, input: rgb(1))
    #expect(
      picture.status == 64
        && picture.errors.contains("--header requires --to float32 or 16uc1, found --to gray8"))
  }

  @Test("frames before a truncated frame are written") func framesBeforeACutAreWritten() throws {
    let outcome = try runDepth(
      ["stream", "--to", "16uc1", "--refine", "none"] + raw, input: rgb(2).dropLast(10))
    #expect(outcome.status == 1 && outcome.output.count == PackagedMap.area * 2)
    #expect(
      outcome.errorLines.last == "depth: standard input: frame 1 ends after 9206 of 9216 bytes")
  }

  @Test("wrong usage of stream and watch ends with status 64") func wrongUsage() throws {
    for arguments in [
      ["stream", "--from", "rgb24"], ["stream", "--size", "4x4"],
      ["stream", "--latest", "--every-frame"], ["watch", "--near", "0m"],
      ["watch", "--share", "2"], ["watch", "--zone", "a:1"], ["watch", "--exec", " "],
      ["stream", "--rate", "0"], ["stream", "--picture-range", "3:1"],
    ] {
      let outcome = try runDepth(arguments)
      #expect(outcome.status == 64 && outcome.output.isEmpty, "\(arguments) \(outcome.errors)")
    }
    let empty = try runDepth(["watch"])
    #expect(empty.status == 1)
    #expect(empty.errors == "depth: standard input: is empty, expected frames\n")
  }

  @Test("a frame at fault is named once", arguments: ["stream", "watch"])
  func aFrameAtFaultIsNamedOnce(command: String) throws {
    let outcome = try runDepth(
      [command, "--from", "rgb24", "--size", "64x48"]
        + ["--focal-length", "exif", "--quiet"], input: rgb(1))
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.contains("depth: standard input, frame 0: the photo's Exif has no"),
      "\(outcome.errors)")
  }

  @Test("watch prints scans and events") func watchPrintsEventsAndRunsAProgram() throws {
    // All of this picture is nearer than 100 m.
    let outcome = try depthTool.run(
      [
        "watch", "--every-frame", "--near", "100m", "--zone", "all:0,0,1,0,1,1,0,1", "--exec",
        "/usr/bin/env", "--rate", "10", "--scan", "--enter-time", "200ms",
      ] + raw, input: rgb(4), environment: ["DEPTH_ZONE": "wrong"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = try outcome.text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(lines.map { $0["event"] as? String } == ["scan", "scan", "enter", "scan", "scan"])
    let event = lines[2]
    #expect(event["zone"] as? String == "all" && event["time"] as? Double == 0.2)
    #expect(event["frame"] as? Int == 2 && event["share"] as? Double == 1)
    #expect(event.keys.contains("seconds_to_contact") && event.keys.contains("nearest_m"))
    #expect((lines[0]["ranges"] as? [Any])?.count == PackagedMap.width)
    for key in ["angle_min", "angle_max", "angle_increment", "time_increment", "range_min"] {
      #expect(lines[0][key] is Double, "\(key)")
    }
  }

  @Test("color options need YUV4MPEG2 frames", arguments: ["--matrix=bt709", "--color-range=full"])
  func colorsAreOfYUV(option: String) throws {
    let picture = Array("P6 2 2 255\n".utf8) + [UInt8](repeating: 9, count: 12)
    let outcome = try runDepth(["stream", option], input: picture)
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(
      outcome.errors.contains("requires YUV4MPEG2 frames, found other frames"), "\(outcome.errors)")
  }

  @Test(
    "watch checks its program before the first frame",
    arguments: [
      ("no-such-program x", "--exec no-such-program: is not on the PATH, expected a program"),
      ("/nowhere/bell", "--exec /nowhere/bell: no such file or folder, expected a program"),
      ("/etc/passwd", "--exec /etc/passwd: permission denied, expected a program"),
      ("/tmp", "--exec /tmp: is not a file, expected a program"),
    ])
  func watchChecksItsProgramFirst(exec: String, message: String) throws {
    let outcome = try runDepth(["watch", "--exec", exec])
    #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("depth: \(message)"), "\(outcome.errors)")
  }

  /// Frames of Motion JPEG, some of them damaged.
  private func jpegs(_ count: Int, _ damage: [Int: (inout [UInt8]) -> Void]) throws -> [UInt8] {
    try (0..<count).flatMap { index in
      var bytes = try photo(index).encoded(as: .jpeg(quality: 90))
      damage[index]?(&bytes)
      return bytes
    }
  }

  @Test(
    "a damaged JPEG is the only missing frame",
    arguments: ["cut", "no end", "marker", "garbage", "scan"])
  func aDamagedJPEGIsLeftOut(damage: String) throws {
    let frames = try jpegs(
      10,
      [
        4: { bytes in
          switch damage {
          case "cut": bytes.removeLast(bytes.count / 2)
          case "no end": bytes.removeLast(2)
          case "marker":
            let place = bytes.count - 40
            // A segment as long as the rest of the stream.
            bytes.replaceSubrange(place..<place + 4, with: [0xFF, 0xC4, 0xFF, 0xFF])
          case "garbage": bytes = [UInt8](repeating: 0x55, count: 700)
          default: for index in 2..<bytes.count - 2 where index % 3 == 0 { bytes[index] = 0 }
          }
        }
      ])
    let stream = try runDepth(
      ["stream", "--to", "16uc1", "--refine", "none"], input: frames)
    #expect(stream.status == 0, "\(stream.errors)")
    #expect(stream.output.count == 9 * PackagedMap.area * 2, "\(stream.errors)")
    #expect(stream.errors.contains(", 1 damaged"), "\(stream.errors)")
    let watch = try runDepth(["watch", "--scan"], input: frames)
    #expect(watch.status == 0 && watch.errors.contains(", 1 damaged"), "\(watch.errors)")
    let seen = try BatchTests.objects(watch.text).filter { $0["event"] as? String == "scan" }
    #expect(seen.map { $0["frame"] as? Int } == [0, 1, 2, 3, 5, 6, 7, 8, 9])
  }

  @Test("a broken stream ends with blindness") func aStreamThatBreaksOffIsBlind() throws {
    let frames = try jpegs(3, [2: { $0.removeLast($0.count / 2) }])
    let outcome = try runDepth(
      ["watch", "--zone", "all:0,0,1,0,1,1,0,1"], input: frames)
    #expect(outcome.status == 1, "\(outcome.errors)")
    let last = try BatchTests.objects(outcome.text).last
    #expect(last?["event"] as? String == "BLIND", "\(outcome.text)")
    #expect(last?["frame"] as? Int == 1 && last?["dropped"] as? Int == 0)
    #expect(outcome.errorLines.last?.hasPrefix("depth: standard input, frame 2: ") == true)
  }

  /// A camera that delivers only damaged frames shows nothing.
  @Test("a watcher is blind if all frames are damaged") func damagedFramesMakeBlind() throws {
    let damage: (inout [UInt8]) -> Void = { bytes in
      // A code table with too many codes.
      let table = bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC4 } ?? 0
      for index in table + 5..<table + 21 { bytes[index] = 0xFF }
    }
    let frames = try jpegs(
      25, Dictionary(uniqueKeysWithValues: (5..<25).map { ($0, damage) }))
    let outcome = try runDepth(
      ["watch", "--zone", "all:0,0,1,0,1,1,0,1", "--rate", "10", "--source-timeout", "0.95s"],
      input: frames)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let events = try BatchTests.objects(outcome.text).filter { $0["event"] as? String == "BLIND" }
    // The last valid frame is the fifth.
    #expect(events.map { $0["frame"] as? Int } == [14], "\(outcome.text)")
    #expect(outcome.errors.contains(", 20 damaged"), "\(outcome.errors)")
  }

  @Test("watch reports blindness to its program") func theProgramIsToldOfBlindness() throws {
    let folder = try TemporaryFolder()
    let note = folder.path("note")
    let frames = try jpegs(3, [2: { $0.removeLast($0.count / 2) }])
    let outcome = try depthTool.run(
      [
        "watch", "--zone", "all:0,0,1,0,1,1,0,1", "--near", "1mm", "--exec",
        "sh -c 'echo $DEPTH_EVENT $DEPTH_ZONE > \(note).new; mv \(note).new \(note)'",
      ], input: frames)
    #expect(outcome.status == 1, "\(outcome.errors)")
    #expect(waitUntil { FileManager.default.fileExists(atPath: note) })
    #expect(try String(contentsOfFile: note, encoding: .utf8) == "BLIND all\n")
  }

  /// Frames of a file can wait, so every frame is processed.
  @Test("every frame of a file is watched") func everyFrameOfAFileIsWatched() throws {
    let outcome = try runDepth(["watch", "--scan", "--rate", "10"] + raw, input: rgb(40))
    #expect(outcome.status == 0, "\(outcome.errors)")
    let objects = try BatchTests.objects(outcome.text)
    let seen = objects.filter { $0["event"] as? String == "scan" }
    #expect(seen.map { $0["frame"] as? Int } == Array(0..<40))
    #expect(seen.last?["time"] as? Double == 3.9)
    for event in objects where event["event"] as? String != "scan" {
      #expect(event["age"] is Double && event["dropped"] as? Int == 0)
    }
  }

  /// A film through a pipe may be faster than a camera. The hint comes once.
  @Test("a pipe that is faster than its rate gets a hint")
  func aPipeThatIsFasterThanItsRateGetsAHint() throws {
    let folder = try TemporaryFolder()
    let frames = try folder.write(rgb(400), to: "frames.rgb")
    let piped = try CommandLineTool(at: "/bin/bash").run(
      [
        "-c", #"cat "$1" | "$0" watch --near 100m --enter-time 0s --rate 2 "${@:2}""#,
        depthTool.path, frames,
      ] + raw)
    #expect(piped.status == 0, "\(piped.errors)")
    #expect(piped.errors.contains("--every-frame processes every"), "\(piped.errors)")
    #expect(piped.errorLines.count == 2)
  }

  @Test(
    "a closed output pipe ends the work quietly",
    arguments: ["watch --scan --every-frame", "stream --to float32 --refine none"])
  func aReaderThatGoesAwayIsTheEnd(command: String) throws {
    let folder = try TemporaryFolder()
    let frames = try folder.write(rgb(40), to: "frames.rgb")
    let outcome = try CommandLineTool(at: "/bin/bash").run(
      [
        "-c",
        #"set -o pipefail; "$0" \#(command) --quiet "${@:2}" <"$1" | head -c 1 >/dev/null; echo "${PIPESTATUS[0]}""#,
        depthTool.path, frames,
      ] + raw)
    #expect(outcome.text == "0\n" && outcome.errors.isEmpty, "\(outcome.errors)")
  }

  @Test(
    "a command is split into words as by a shell",
    arguments: [
      ("play -q a.wav", ["play", "-q", "a.wav"]), ("  a \t b ", ["a", "b"]), ("", []),
      (#"say 'a  b' "c 'd'" e\ f"#, ["say", "a  b", "c 'd'", "e f"]),
      (#"a"b"'c'd"#, ["abcd"]), (#"x '' """#, ["x", "", ""]), (#""a\"b\\c\d""#, [#"a"b\c\d"#]),
      (#"'a\b'"#, [#"a\b"#]), ("'open", nil), (#""open\""#, nil), (#"end\"#, nil),
    ] as [(String, [String]?)])
  func wordsOfACommand(command: String, words: [String]?) {
    #expect(shellArguments(command) == words)
  }

  private static let ffmpeg = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg"]
    .first(where: FileManager.default.isExecutableFile(atPath:))

  @Test(
    "ffmpeg and stream read each other's frames",
    .enabled(if: ffmpeg != nil, "ffmpeg is not installed"))
  func ffmpegReadsAndWrites() throws {
    let ffmpeg = CommandLineTool(at: try #require(Self.ffmpeg))
    let made = try ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=5", "-frames:v", "3",
      "-pix_fmt", "yuv420p", "-f", "yuv4mpegpipe", "-",
    ])
    #expect(made.status == 0, "\(made.errors)")
    for format in ["gray8", "gray16", "color", "beside"] {
      let depth = try runDepth(
        ["stream", "--to", format], input: made.output)
      #expect(depth.status == 0, "\(depth.errors)")
      let read = try ffmpeg.run(
        [
          "-v", "error", "-f", "yuv4mpegpipe", "-i", "-", "-f", "rawvideo", "-pix_fmt", "gray", "-",
        ],
        input: depth.output)
      #expect(read.output.count == 3 * 48 * (format == "beside" ? 128 : 64), "\(read.errors)")
    }
    // Colors equal ffmpeg's conversion within a few steps at edges of chroma.
    let pixels = try ffmpeg.run(
      [
        "-v", "error", "-f", "yuv4mpegpipe", "-i", "-", "-f", "rawvideo", "-sws_flags",
        "neighbor+accurate_rnd+full_chroma_int", "-pix_fmt", "rgb24", "-",
      ], input: made.output)
    let offset = Offset()
    let bytes = made.output
    var reader = try FrameReader(
      ByteSource(name: "ffmpeg") { buffer in
        let count = min(buffer.count, bytes.count - offset.value)
        buffer.copyBytes(from: bytes[offset.value..<offset.value + count])
        offset.value += count
        return count
      }, options: .init())
    let image = try #require(try reader.next()).image()
    let close = zip(image.pixels, pixels.output).count { abs(Int($0) - Int($1)) <= 3 }
    #expect(Double(close) > 0.9 * Double(image.pixels.count))
  }

  private final class Offset: @unchecked Sendable { var value = 0 }
}
