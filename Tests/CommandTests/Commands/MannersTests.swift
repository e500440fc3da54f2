import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

@testable import DepthCommands

/// The program's messages and outputs.
@Suite struct MannersTests {
  @Test("messages escape control characters of names") func namesCannotMoveTheCursor() throws {
    let folder = try TemporaryFolder()
    let name = "a\u{1B}[31m\nb\u{202E}\u{2066}.jpg"
    let outcome = try runDepth(["predict", name], in: folder)
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == "depth: a\\x1B[31m\\nb\\u{202E}\\u{2066}.jpg: no such file or folder\n")
    let usage = try runDepth(["predict", "a.jpg", "-o", "d\u{1B}\n.tiff"])
    #expect(usage.status == 64 && usage.errors.contains("d\\x1B\\n.tiff"), "\(usage.errors)")
  }

  /// Bytes that are no text would be replaced in the file name.
  @Test("an argument that is not UTF-8 is refused") func namesThatAreNotUTF8AreRefused() throws {
    let outcome = try CommandLineTool(at: "/bin/sh").run([
      "-c", "exec \"$0\" predict \"$(printf 'caf\\351.jpg')\"", depthTool.path,
    ])
    #expect(outcome.status == 64 && outcome.errorLines.count == 1)
    #expect(outcome.errors.hasPrefix("depth: caf\\xE9.jpg: is not UTF-8"), "\(outcome.errors)")
  }

  @Test("a word that is no command gets a hint") func wordsThatAreNoCommandGetAHint() throws {
    for (word, expected) in [
      ("perdict", "'perdict' is not a command; did you mean 'predict'?"),
      ("xyzzy", "'xyzzy' is not a command, expected predict, refine, stereo"),
    ] {
      let outcome = try runDepth([word])
      #expect(outcome.status == 64)
      #expect(outcome.errors.hasPrefix("Error: \(expected)"), "\(outcome.errors)")
    }
    for (words, expected) in [
      (["effect", "bluur", "a.jpg"], "'bluur' is not a command of 'depth effect'; did you mean"),
      (
        ["weights", "xyzzy"],
        "'xyzzy' is not a command of 'depth weights', expected list, fetch, info, verify"
      ),
      (["help", "perdict"], "'perdict' is not a command; did you mean 'predict'?"),
      (["help", "effect", "bluur"], "'bluur' is not a command of 'depth effect'; did you mean"),
      (
        ["effect", "help"],
        "'help' is not a command of 'depth effect', expected mask, cutout, spotlight"
      ),
      (["effect", "haze", livingRoom, "--focus", "nearest"], "haze has no focus"),
      (["effect", "haze", livingRoom, "--focus-at", "3,4"], "haze has no focus"),
      (["--view"], "no photo is given"),
      (
        ["--view", livingRoom],
        "no photo is given; '\(livingRoom)' after --view is the picture's name"
      ),
    ] {
      let outcome = try runDepth(words)
      #expect(outcome.status == 64)
      #expect(outcome.errors.hasPrefix("Error: \(expected)"), "\(outcome.errors)")
    }
    #expect(editDistance("kitten", "sitting") == 3 && editDistance("", "ab") == 2)
    // A single letter gets no suggestion.
    #expect(nearestName(to: "o", among: ["fov"]) == nil)
    #expect(nearestName(to: "fo", among: ["view", "fov"]) == "fov")
    #expect(nearestName(to: "ouptut", among: ["shape", "output"]) == "output")
  }

  @Test("options before a photo belong to predict")
  func optionsBeforeThePhotoAreThoseOfPredict() throws {
    let photo = livingRoom
    for (words, photos) in [
      (["--json", photo, "-o", "-"], [photo]), (["--", "photo"], ["photo"]), (["--view"], []),
      (["a.gif", "b.gif"], ["a.gif", "b.gif"]), (["./stereo"], ["./stereo"]),
    ] {
      let predict = try #require(try Depth.parsed(words) as? Predict, "\(words)")
      #expect(predict.photos == photos)
    }
    for words in [["--version"], ["--help"], [], ["help", "effect", "blur"], ["help"]] {
      let outcome = try runDepth(words)
      #expect(outcome.status == 0 && !outcome.output.isEmpty && outcome.errors == "", "\(words)")
    }
    #expect(try runDepth([]).text.contains("SUBCOMMANDS:"))
  }

  @Test(
    "a refusal states what is expected",
    arguments: [
      (["benchmark", "--size", "33x33"], 1, "33×33, expected multiples of 32"),
      (["benchmark", "--size", "1x1"], 1, "expected multiples of 32"),
      (["predict", "--quiet", "0xabc.jpg"], 1, "0xabc.jpg: no such file or folder"),
      (["predict", "a.jpg", "--resolution", "0x0"], 64, "'0x0' is invalid for"),
      (["serve", "--allow-host", "a:80"], 64, "is 'a:80', expected a name without a port"),
      (["stereo", "--help"], 0, "Renderer: warp (the default)"),
    ])
  func refusalsSayWhatIsExpected(words: [String], status: Int32, text: String) throws {
    let outcome = try runDepth(words)
    let said = outcome.errors + String(decoding: outcome.output, as: UTF8.self)
    #expect(outcome.status == status && !outcome.wasKilled)
    #expect(said.contains(text) && !said.contains("decimal number"), "\(said)")
  }

  @Test("wrong usage names the command's help") func wrongUsageNamesTheHelpOfItsCommand() throws {
    for (words, path) in [
      (["predict"], "depth predict"),
      (["predict", livingRoom, "--view", "v.gif"], "depth predict"),
      (["effect", "blur"], "depth effect blur"), (["serve", "--host", "0.0.0.0"], "depth serve"),
      (["effect", "bluur"], "depth effect"), (["perdict"], "depth"),
    ] {
      let outcome = try runDepth(words)
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("  See '\(path) --help'"), "\(outcome.errors)")
    }
  }

  @Test("the error for unknown weights names the list") func unknownWeightsGetTheNames() throws {
    let outcome = try runDepth(["predict", livingRoom, "-o", "-", "--weights", "defualt"])
    #expect(outcome.status == 1)
    #expect(
      outcome.errors
        == "depth: defualt: no such weights, expected 'default', the name of a published network or a file ('depth weights list' shows the names)\n"
    )
  }

  @Test("a depth photo is a JPEG") func depthPhotosAreJPEG() throws {
    let outcome = try runDepth(["predict", livingRoom, "--depth-photo", "d.png"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.hasPrefix("Error: d.png: ends in .png, expected .jpg, .jpeg"))
  }

  @Test("errors of environment variables name the variable") func theEnvironmentIsNamed() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let text = try folder.write(Array("hello".utf8), to: "w.h5")
      func run(_ command: [String], _ variable: String, _ value: String) throws
        -> CommandLineTool.Outcome
      {
        try runDepth(
          command,
          environment: ["DEPTH_WEIGHTS": "", "DEPTH_ISA": ""].merging([variable: value]) { $1 })
      }
      for (variable, value, expected) in [
        ("DEPTH_WEIGHTS", "/nope", "depth: DEPTH_WEIGHTS=/nope: no such file"),
        ("DEPTH_WEIGHTS", text, "depth: DEPTH_WEIGHTS: \(text): "),
        ("DEPTH_ISA", "sse9", "depth: DEPTH_ISA=sse9: is not an instruction set"),
      ] {
        for command in [["predict", livingRoom, "-o", "-"], ["weights", "info"]] {
          let outcome = try run(command, variable, value)
          #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
          #expect(outcome.errors.hasPrefix(expected), "\(outcome.errors)")
        }
      }
      #expect(try run(["--weights", text], "DEPTH_ISA", "sse9").status != 0)
      let named = try run(["predict", livingRoom, "-o", "-", "--weights", text], "DEPTH_ISA", "")
      #expect(named.errors.hasPrefix("depth: \(text): "), "\(named.errors)")
      #expect(try run(["weights", "info"], "DEPTH_ISA", "baseline").status == 0)
    }
  }

  @Test("all names of standard output are accepted") func standardOutputByAnyName() throws {
    let base = ["predict", livingRoom, "--refine", "none"]
    let wanted = try runDepth(base + ["-o", "-", "--format", "npy"])
    #expect(wanted.status == 0 && !wanted.output.isEmpty)
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
      let outcome = try runDepth(base + ["-o", name, "--format", "npy"])
      #expect(outcome.status == 0 && outcome.output == wanted.output, "\(outcome.errors)")
      #expect(try runDepth(base + ["-o", name, "--json"]).status == 64)
    }
  }

  @Test("a name without extension needs --format")
  func namesWithoutExtensionTakeTheFormat() throws {
    let folder = try TemporaryFolder()
    let base = ["predict", livingRoom, "--refine", "none", "-o", folder.path("depth")]
    let outcome = try runDepth(base + ["--format", "pfm"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try TemporaryFolder.bytes(of: folder.path("depth")).starts(with: Array("Pf\n".utf8)))
    let unsaid = try runDepth(base + ["--overwrite"])
    #expect(unsaid.status == 64 && unsaid.errors.contains("--format"), "\(unsaid.errors)")
    let stereo = try runDepth([
      "stereo", livingRoom, "--depth", folder.path("depth"), "--format", "gif", "-o",
      folder.path("moving"), "--animation-width", "64",
    ])
    #expect(stereo.status == 0, "\(stereo.errors)")
    #expect(try TemporaryFolder.bytes(of: folder.path("moving")).starts(with: Array("GIF".utf8)))
  }

  @Test("a stereo picture may go to standard output") func stereoGoesToStandardOutput() throws {
    let folder = try TemporaryFolder()
    let depth = folder.path("depth.pfm")
    try DepthMap(height: 3, width: 4, unit: .metres, values: [Float](repeating: 2, count: 12))
      .write(to: URL(filePath: depth))
    let base = ["stereo", livingRoom, "--depth", depth]
    let file = try runDepth(base + ["-o", folder.path("s.jpg")])
    #expect(file.status == 0, "\(file.errors)")
    let piped = try runDepth(base + ["-o", "-"])
    #expect(piped.output == (try TemporaryFolder.bytes(of: folder.path("s.jpg"))))
    #expect(try runDepth(base + ["-o", "-", "--json"]).status == 64)
    #expect(try runDepth(base + ["-o", "-", "--format", "left-right"]).status == 64)
  }

  private func object(_ line: Substring) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  @Test("a failure of stereo gives a JSON line") func failuresOfStereoAreJSONToo() throws {
    let folder = try TemporaryFolder()
    let photo = try folder.write([1, 2, 3], to: "photo.jpg")
    let outcome = try runDepth(["stereo", photo, "--json"])
    #expect(outcome.status == 1 && outcome.errorLines.count == 1)
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.count == 1)
    let json = try object(try #require(lines.first))
    #expect(json["input"] as? String == photo)
    #expect((json["error"] as? String)?.hasPrefix(photo) == true)
  }

  @Test("loading time is reported for one photo only") func loadingCountsOnce() throws {
    let folder = try TemporaryFolder()
    let outcome = try runDepth([
      "predict", folder.path("missing.jpg"), livingRoom, packageFolder + "/Examples/fruit-bowl.jpg",
      "--output-dir", folder.path, "--json", "--refine", "none",
    ])
    let times = try outcome.text.split(separator: "\n").compactMap {
      try object($0)["milliseconds"] as? [String: Double]
    }
    #expect(times.count == 2)
    #expect(times.first?["load"] ?? 0 > 0 && times.last?["load"] == 0)
    for time in times {
      let total = try #require(time["total"])
      let parts = time.filter { $0.key != "total" }.values.reduce(0, +)
      #expect(abs(total - parts) < 0.01)
    }
  }

  private static let script = "/usr/bin/script"

  /// `script` runs a command on a new terminal and copies the terminal's output.
  @Test(
    "one photo shows its progress on a terminal",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: script), "there is no /usr/bin/script"))
  func onePhotoShowsProgressOnATerminal() throws {
    func shown(_ options: String) throws -> String {
      let command =
        "'\(depthTool.path)' predict '\(livingRoom)' -o /dev/null --format pfm \(options)"
      let outcome = try CommandLineTool(at: Self.script).run(["-qec", command, "/dev/null"])
      #expect(outcome.status == 0, "\(outcome.text)")
      return outcome.text
    }
    let text = try shown("")
    for step in ["reading", "estimating", "refining", "writing"] {
      #expect(text.contains("living-room.jpg: \(step)"), "\(text)")
    }
    #expect(!text.contains("[1/1]"))
    #expect(!(try shown("--quiet")).contains("living-room.jpg"))
  }

  @Test("the location of a photo is kept only on request") func locationIsKeptOnRequest() throws {
    let folder = try TemporaryFolder()
    let plain = Image(height: 30, width: 40, pixels: [UInt8](repeating: 9, count: 3600))
    let photo = try folder.write(
      LocatedPhoto().inserted(into: plain.encoded(as: .jpeg())), to: "photo.jpg")
    let depth = folder.path("depth.pfm")
    try DepthMap(height: 30, width: 40, unit: .metres, values: [Float](repeating: 2, count: 1200))
      .write(to: URL(filePath: depth))
    for (index, (options, hasPlace, hasDate)) in [
      ([], false, true), (["--keep-location"], true, true), (["--strip-metadata"], false, false),
    ].enumerated() {
      let (stereo, inside) = (folder.path("s\(index).jpg"), folder.path("p\(index).jpg"))
      _ = try runDepth(["stereo", photo, "--depth", depth, "-o", stereo] + options)
      _ = try runDepth(
        ["refine", photo, depth, "-o", folder.path("d\(index).pfm"), "--depth-photo", inside]
          + options)
      for file in [stereo, inside] {
        let bytes = try TemporaryFolder.bytes(of: file)
        #expect(LocatedPhoto.occurs(LocatedPhoto.needle, in: bytes) == hasPlace, "\(options)")
        #expect(LocatedPhoto.occurs(LocatedPhoto.date, in: bytes) == hasDate, "\(options)")
        #expect(LocatedPhoto.occurs(LocatedPhoto.copyright, in: bytes))
      }
    }
    #expect(
      try runDepth(["stereo", photo, "--keep-location", "--strip-metadata"]).status == 64)
  }
}
