import DepthImages
import DepthPhotos
import Foundation
import PictureFiles
import Testing
import _TestSupport

@testable import DepthCommands

/// `--depth auto` uses sufficient depth inside a photo, or else the network.
@Suite struct OwnDepthTests {
  /// Photos of 64×48 pixels: `metres.jpg` and `relative.jpg` have depth inside.
  /// The depth of `damaged.jpg` cannot be read, and `plain.jpg` has no depth.
  private static func photos(_ format: DepthPhoto.Format = .gDepth) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let photo = TestPhoto.image()
    let metres = try DepthPhoto.encode(photo, depth: TestPhoto.depth(), as: format)
    _ = try folder.write(metres, to: "metres.jpg")
    for (name, old, new) in [
      ("relative", "Units=\"m\"", "Units=\"?\""), ("damaged", "Near=\"1.25\"", "Near=\"9.99\""),
    ] {
      var bytes = metres
      if let place = bytes.firstRange(of: Array(old.utf8)) {
        bytes.replaceSubrange(place, with: new.utf8)
      }
      _ = try folder.write(bytes, to: "\(name).jpg")
    }
    _ = try folder.write(photo.encoded(as: .jpeg()), to: "plain.jpg")
    return folder
  }

  /// The environment names weights that cannot be loaded.
  private static let noWeights = ["DEPTH_WEIGHTS": "/nonexistent/weights.h5"]
  private static let compact = ["DEPTH_WEIGHTS": "compact"]

  private static func source(_ outcome: CommandLineTool.Outcome) throws -> String? {
    try BatchTests.objects(outcome.text).first?["depth_source"] as? String
  }

  @Test("every command uses metres inside a photo") func metresInsideAreUsedEverywhere() async {
    await #expect(processExitsWith: .success) {
      for command in [
        ["stereo"], ["stereo", "--screen-distance", "2m", "--fov", "60"],
        ["stereo", "--fov", "60"],
        ["effect", "haze"], ["effect", "blur", "--focus", "1.5m"],
        ["effect", "blur", "--focus", "0.5", "--aperture", "2", "--fov", "60"],
        ["effect", "haze", "--focal-length", "26mm"], ["export", "--fov", "60"],
        ["export", "--fov", "60", "--refine", "none", "--format", "html"],
      ] {
        for format in DepthPhoto.Format.allCases {
          let folder = try Self.photos(format)
          let made = try runDepth(
            command + ["metres.jpg", "--json", "--output-dir", "a"], environment: Self.noWeights,
            in: folder)
          #expect(made.status == 0 && made.errors.isEmpty, "\(made.errors)")
          let record = try #require(BatchTests.objects(made.text).first)
          #expect(record["depth_source"] as? String == "embedded" && record["precision"] == nil)
        }
      }
    }
  }

  @Test("--depth auto equals --depth embedded if a photo has depth") func autoIsEmbedded() async {
    await #expect(processExitsWith: .success) {
      let folder = try Self.photos()
      let pictures = try ["auto", "embedded"].map { word in
        let made = try runDepth(
          ["effect", "mask", "metres.jpg", "--depth", word, "--focus", "0.8", "-o", "\(word).png"],
          environment: Self.noWeights, in: folder)
        #expect(made.status == 0, "\(made.errors)")
        #expect(
          made.errors.contains(
            "metres.jpg: 1.25 to 4.98 m, focus at 1.47 m, depth inside the photo, wrote \(word).png"
          ),
          "\(made.errors)")
        return try Image(contentsOf: folder.url("\(word).png")).pixels
      }
      // The disc in the middle is near.
      #expect(pictures[0] == pictures[1] && pictures[0][3 * (24 * 64 + 32)] > pictures[0][0])
    }
  }

  @Test("relative depth inside a photo is used if order suffices")
  func orderIsUsedForShares() async {
    await #expect(processExitsWith: .success) {
      for command in [
        ["stereo"], ["stereo", "--shift", "2%", "--convergence", "auto"],
        ["effect", "haze", "--strength", "0.5"], ["effect", "mask", "--focus", "0.8"],
        ["effect", "blur", "--focus-at", "32,24"], ["effect", "highlight", "--focus", "nearest"],
      ] {
        let folder = try Self.photos()
        let made = try runDepth(
          command + ["relative.jpg", "--json"], environment: Self.noWeights, in: folder)
        #expect(made.status == 0 && made.errors.isEmpty, "\(made.errors)")
        #expect(try Self.source(made) == "embedded")
      }
    }
  }

  @Test("metres never come from relative depth in a photo") func metresAreTheNetworks() async {
    await #expect(processExitsWith: .success) {
      for (command, purpose) in [
        (["stereo", "--screen-distance", "2m", "--fov", "60"], "metric stereo"),
        (["effect", "haze"], "haze without a strength"),
        (["effect", "mask", "--focus", "2m"], "a focus in metres"),
        (["effect", "blur", "--focus", "0.5", "--aperture", "2", "--fov", "60"], "a real lens"),
        (["export", "--fov", "60"], "geometry"),
      ] {
        let folder = try Self.photos()
        let missing = try runDepth(
          command + ["relative.jpg"], environment: Self.noWeights, in: folder)
        #expect(missing.status == 1 && missing.errors.contains("weights.h5"), "\(missing.errors)")
        guard purpose != "a focus in metres" else { continue }  // The network sees nothing at 2 m.
        let made = try runDepth(
          command + ["relative.jpg", "--json"], environment: Self.compact, in: folder)
        #expect(made.status == 0, "\(made.errors)")
        #expect(
          made.errors.contains(
            "depth: relative.jpg: the depth inside the photo has no distances, which \(purpose) needs; depth is estimated\n"
          ), "\(made.errors)")
        let record = try #require(BatchTests.objects(made.text).first)
        #expect(record["depth_source"] as? String == "network" && record["precision"] != nil)
      }
    }
  }

  @Test("an estimate replaces unreadable depth inside a photo")
  func depthThatCannotBeReadIsReplaced() async {
    await #expect(processExitsWith: .success) {
      let folder = try Self.photos()
      let made = try runDepth(
        ["stereo", "damaged.jpg"], environment: Self.compact, in: folder)
      #expect(made.status == 0, "\(made.errors)")
      #expect(
        made.errors.hasPrefix("depth: damaged.jpg: the depth inside the photo cannot be used (")
          && made.errors.contains("near and far do not span a range); depth is estimated\n"),
        "\(made.errors)")
      #expect(made.errors.contains(" m, depth by the network, wrote "), "\(made.errors)")
      let asked = try runDepth(
        ["stereo", "damaged.jpg", "--depth", "embedded", "--overwrite"],
        environment: Self.compact, in: folder)
      #expect(asked.status == 1 && asked.errorLines.count == 1, "\(asked.errors)")
    }
  }

  @Test("weights are loaded only for photos that need the network")
  func theNetworkIsLoadedForPhotosThatNeedIt() async {
    await #expect(processExitsWith: .success) {
      let folder = try Self.photos()
      let photos = ["metres.jpg", "plain.jpg", "relative.jpg"]
      let missing = try runDepth(
        ["stereo"] + photos + ["--output-dir", "a", "--json"], environment: Self.noWeights,
        in: folder)
      #expect(missing.status == 1 && missing.errorLines.count == 2, "\(missing.errors)")
      let records = try BatchTests.objects(missing.text)
      #expect(records.map { $0["depth_source"] as? String } == ["embedded", nil, "embedded"])
      #expect((records[1]["error"] as? String)?.contains("weights.h5") == true)
      let made = try runDepth(
        ["stereo"] + photos + ["--output-dir", "b", "--json"], environment: Self.compact,
        in: folder)
      #expect(made.status == 0, "\(made.errors)")
      let sources = try BatchTests.objects(made.text).map { $0["depth_source"] as? String }
      #expect(sources == ["embedded", "network", "embedded"])
    }
  }

  @Test("options of estimates select the network") func optionsOfTheEstimateMeanTheNetwork() async {
    await #expect(processExitsWith: .success) {
      for options in [
        ["--mirrored"], ["--precision", "float32"], ["--input-size", "252"],
        ["--weights", "/nonexistent/weights.h5"], ["--calibration", "c.json"],
        ["--depth", "network"],
      ] {
        let folder = try Self.photos()
        _ = try folder.write(
          Array(#"{"scale":1,"shift":0,"points":2,"refine":"joint"}"#.utf8), to: "c.json")
        let missing = try runDepth(
          ["stereo", "metres.jpg"] + options, environment: Self.noWeights, in: folder)
        #expect(missing.status == 1 && missing.errorLines.count == 1, "\(missing.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("metres_sbs.jpg")))
        if options[0] != "--calibration" {
          #expect(missing.errors.contains("weights.h5"), "\(missing.errors)")
        }
        guard options[0] != "--depth" else { continue }
        for given in ["embedded", "d.pfm"] {
          let refused = try runDepth(
            ["stereo", "metres.jpg", "--depth", given] + options, in: folder)
          #expect(refused.status == 64, "\(refused.errors)")
          #expect(
            refused.errors.contains(
              "\(options[0]) requires estimated depth, found --depth \(given)"),
            "\(refused.errors)")
        }
      }
    }
  }

  /// `--min-confidence` is an option of estimates, unlike options of refinement.
  @Test("a least confidence makes export estimate depth")
  func exportsKnowTheOptionsOfTheEstimate() async {
    await #expect(processExitsWith: .success) {
      let folder = try Self.photos()
      for (options, status) in [(["--min-confidence", "0.1"], 1), (["--detail", "0.5"], 0)] {
        let made = try runDepth(
          ["export", "metres.jpg", "--fov", "60", "--overwrite"] + options,
          environment: Self.noWeights, in: folder)
        #expect(Int(made.status) == status, "\(made.errors)")
      }
    }
  }

  @Test("a depth file may be named like a word of --depth") func aFileMayBeCalledLikeAWord() async {
    await #expect(processExitsWith: .success) {
      let folder = try Self.photos()
      #expect(FileManager.default.changeCurrentDirectoryPath(folder.path))
      for word in ["auto", "network", "embedded"] {
        _ = try folder.write(TestPhoto.depth().encoded(as: .pfm), to: word)
        let made = try runDepth(
          ["effect", "haze", "plain.jpg", "--depth", "./\(word)", "--json", "--overwrite"],
          environment: Self.noWeights)
        #expect(made.status == 0, "\(made.errors)")
        #expect(try Self.source(made) == "file")
      }
      // The words name no files here. `refine` accepts only the word `embedded`.
      let estimated = try runDepth(
        ["effect", "haze", "plain.jpg", "--depth", "auto", "--overwrite"],
        environment: Self.noWeights)
      #expect(estimated.status == 1 && estimated.errors.contains("weights.h5"))
      let none = try runDepth(
        ["refine", "plain.jpg", "embedded", "-o", "r.pfm"])
      #expect(none.status == 1 && none.errors.contains("has no depth map"), "\(none.errors)")
      let refined = try runDepth(
        ["refine", "plain.jpg", "auto", "-o", "r.pfm"])
      #expect(refined.status == 0, "\(refined.errors)")
    }
  }

  @Test("the server chooses depth as the command line does")
  func theServersRequestsHaveTheSameRule() throws {
    func checked<Wanted: Request>(
      _ type: Wanted.Type, _ pairs: KeyValuePairs<String, String>
    ) throws -> Wanted {
      try RequestDecoder.request(type, from: pairs.map { (name: $0.key, value: $0.value) })
    }
    #expect(try checked(StereoQuery.self, [:]).open.depth == .auto)
    #expect(
      try checked(EffectQuery.self, ["effect": "haze", "depth": "network"]).open.depth == .network)
    #expect(try checked(ExportQuery.self, ["calibration-factor": "1.1"]).choice == .network)
    #expect(try checked(ExportQuery.self, ["refine": "none", "fov": "60"]).choice == .auto)
    for (pairs, message) in [
      (
        ["depth": "embedded", "min-confidence": "0.5"],
        "min-confidence requires estimated depth, found depth embedded"
      ), (["depth": "d.pfm"], "depth is 'd.pfm', expected auto, network or embedded"),
    ] as [(KeyValuePairs<String, String>, String)] {
      let error = #expect(throws: InvalidRequest.self) { try checked(ExportQuery.self, pairs) }
      #expect(error?.text(dashed) == message)
    }
    let open = #expect(throws: InvalidRequest.self) {
      try checked(StereoQuery.self, ["photo": "x", "depth": "embedded"])
    }
    #expect(open?.text(dashed) == "depth embedded requires a photo that is sent, found photo")
  }
}
