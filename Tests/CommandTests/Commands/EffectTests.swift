import DepthEffects
import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

/// `depth effect` from the command line.
@Suite struct EffectTests {
  /// A small photo and its depth: 1.5 m on the left, 4 m on the right, a gap at 0,0.
  private func scene(in folder: TemporaryFolder) throws -> (photo: String, depth: String) {
    let (photo, depth) = (folder.path("photo.png"), folder.path("depth.pfm"))
    try MadeUpPictures.photo(height: 48, width: 64).write(to: URL(fileURLWithPath: photo))
    try DepthMap(
      height: 48, width: 64, unit: .metres,
      values: (0..<48 * 64).map { $0 == 0 ? 0 : $0 % 64 < 20 ? 1.5 : 4 }
    ).write(to: URL(fileURLWithPath: depth))
    return (photo, depth)
  }

  @Test(
    "every effect is written at the photo's size",
    arguments: [
      ["mask", "--focus", "0.75"], ["mask", "--focus", "1.5m", "--scaling", "bicubic"],
      ["spotlight", "--focus", "1.5m"], ["highlight", "--focus-at", "30,20"],
      ["haze", "--density", "0.2"], ["blur", "--focus", "150cm", "--radius", "5%"],
      ["blur", "--focus", "1", "--aperture", "f/1.8", "--focal-length", "50mm", "--blades", "6"],
      ["blur", "--focus", "0", "--style", "mask"],
    ])
  func everyEffectIsWritten(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let (photo, depth) = try scene(in: folder)
    let outcome = try runDepth(
      ["effect", arguments[0], photo, "--depth", depth, "--json"] + arguments.dropFirst())
    #expect(outcome.status == 0, "\(outcome.errors)")
    let json = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
    #expect(json?["effect"] as? String == arguments[0])
    let file = try #require((json?["outputs"] as? [String])?.first)
    #expect(file.hasSuffix("photo_\(arguments[0]).\(arguments[0] == "mask" ? "png" : "jpg")"))
    let picture = try Image(contentsOf: URL(fileURLWithPath: file))
    #expect((picture.height, picture.width) == (48, 64))
    #expect(picture.pixels != (try Image(contentsOf: URL(fileURLWithPath: photo))).pixels)
  }

  /// The scene is 1.5 m away on the left and 4 m on the right.
  @Test("an effect of a range keeps pixels in the range") func aRangeKeepsItsPixels() throws {
    let folder = try TemporaryFolder()
    let (photo, depth) = try scene(in: folder)
    func made(_ name: String, _ more: [String]) throws -> URL {
      let file = folder.path(name)
      let outcome = try runDepth(
        ["effect", String(name.prefix { $0 != "." }), photo, "--depth", depth, "-o", file] + more)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return URL(fileURLWithPath: file)
    }
    // Half of the soft edge in front of 2 m is nearer than 1.5 m.
    let range = ["--from", "200cm", "--to", "3m", "--soft", "1m", "--scaling", "bicubic"]
    let floats = try DepthMap(
      contentsOf: made("mask.pfm", range), unit: .normalized(near: .white)
    ).values
    #expect(floats[0] == 0 && floats[1] == 0.5 && floats[63] == 0)
    let levels = try Image(contentsOf: made("mask.png", range)).pixels
    #expect(levels[0] == 0 && levels[3] == 128 && levels[63 * 3] == 0)
    let spotlight = try Image(contentsOf: made("spotlight.png", ["--from", "2m"])).pixels
    let own = try Image(contentsOf: URL(fileURLWithPath: photo)).pixels
    #expect(
      spotlight[3..<30].allSatisfy { $0 == 0 } && spotlight[40 * 3..<192] == own[40 * 3..<192])
    let cutout = try made("cutout.png", ["--to", "2m"])
    #expect(try Data(contentsOf: cutout)[25] == 6, "no alpha")

    let empty = try runDepth([
      "effect", "mask", photo, "--depth", depth, "--from", "9m", "-o", folder.path("e.png"),
    ])
    #expect(empty.status == 1)
    #expect(
      empty.errors.contains(
        "photo.png: the range is from 9.0 m, expected a part of 1.5 to 4.0 m, the range of the depth map"
      ), "\(empty.errors)")
    let shares = try runDepth([
      "effect", "mask", photo, "--depth", depth, "--from", "0.5", "-o", folder.path("e.png"),
    ])
    #expect(shares.status == 1 && shares.errors.contains("since the depth has metres"))
    let relative = try runDepth([
      "effect", "mask", photo, "--depth", depth, "--depth-unit", "relative-disparity", "--from",
      "2m",
      "-o", folder.path("e.png"),
    ])
    #expect(
      relative.status == 1 && relative.errors.contains("a range in metres needs depth in metres"))
    let half = try runDepth([
      "effect", "mask", photo, "--depth", depth, "--depth-unit", "relative-disparity", "--from",
      "0.5",
      "-o", folder.path("e.pfm"),
    ])
    #expect(half.status == 0, "\(half.errors)")
    let far = try DepthMap(
      contentsOf: URL(fileURLWithPath: folder.path("e.pfm")), unit: .normalized(near: .white)
    ).values
    #expect(far[1] == 0 && far[63] == 1)
  }

  @Test(
    "the distance in focus is stated in JSON and in the message",
    arguments: [(DepthFocus.nearest, "nearest"), (.subject, "subject")])
  func theDistanceInFocusIsStated(focus: DepthFocus, word: String) throws {
    let folder = try TemporaryFolder()
    let (photo, depth) = try scene(in: folder)
    let map = try DepthMap(contentsOf: URL(fileURLWithPath: depth))
    let expected = try #require(try focus.distance(in: map))
    #expect(expected == 1.5)
    let made = try runDepth([
      "effect", "blur", photo, "--depth", depth, "--focus", word, "--json",
    ])
    let json = try JSONSerialization.jsonObject(with: Data(made.output)) as? [String: Any]
    #expect(json?["focus_m"] as? Double == expected, "\(made.errors)")
    let said = try runDepth([
      "effect", "mask", photo, "--depth", depth, "--focus", word, "--scaling", "bicubic",
    ])
    #expect(said.errors.contains("photo.png: 1.50 to 4.00 m, focus at 1.50 m, "), "\(said.errors)")
  }

  @Test("masks have 8 bits by default") func masksHave8Or16Bits() throws {
    let folder = try TemporaryFolder()
    let (photo, depth) = try scene(in: folder)
    let common = ["effect", "mask", photo, "--depth", depth, "--focus", "4m", "--overwrite"]
    let file = folder.path("photo_mask.png")
    _ = try runDepth(common)
    let bytes = try TemporaryFolder.bytes(of: file)
    // The file has gray pixels, not three equal colors.
    #expect(bytes[24] == 8 && bytes[25] == 0)
    let picture = try Image(contentsOf: URL(fileURLWithPath: file))
    #expect(picture.pixels[3 * 30] == 255 && picture.pixels[3 * 5] == 0 && picture.pixels[0] == 0)
    _ = try runDepth(common + ["--16-bit"])
    let deep = try TemporaryFolder.bytes(of: file)
    #expect(deep[24] == 16 && deep[25] == 0)
  }

  @Test("a cut-out keeps colors and is transparent elsewhere")
  func cutOutsAreTransparentElsewhere() throws {
    let folder = try TemporaryFolder()
    let (photo, depth) = try scene(in: folder)
    let common = [photo, "--depth", depth, "--focus", "4m"]
    #expect(try runDepth(["effect", "mask"] + common).status == 0)
    let cut = try runDepth(["effect", "cutout"] + common)
    #expect(cut.status == 0, "\(cut.errors)")
    let bytes = try TemporaryFolder.bytes(of: folder.path("photo_cutout.png"))
    // 8 bits of red, green, blue and alpha.
    #expect(bytes[24] == 8 && bytes[25] == 6)
    let (mask, picture) = (
      try Image(contentsOf: URL(filePath: folder.path("photo_mask.png"))),
      try Image(contentsOf: URL(filePath: folder.path("photo_cutout.png")))
    )
    let original = try Image(contentsOf: URL(filePath: photo))
    #expect(Set([0, 255]).isSubset(of: Set(mask.pixels)))
    for index in mask.pixels.indices {
      // Other readers draw the cut-out over white.
      if mask.pixels[index] == 255 { #expect(picture.pixels[index] == original.pixels[index]) }
      if mask.pixels[index] == 0 { #expect(picture.pixels[index] == 255) }
    }
    let jpeg = try runDepth(["effect", "cutout"] + common + ["-o", folder.path("x.jpg")])
    #expect(
      jpeg.status == 64 && jpeg.errors.contains("x.jpg is not a .png, expected one for a cut-out"))
    let stream = try runDepth(["effect", "cutout", "-", "--stream", "--focus", "4m"])
    #expect(stream.status == 64 && stream.errors.contains("frames have no alpha channel"))
    let film = try runDepth(["video", "in.mp4", "--effect", "cutout", "--focus", "4m"])
    #expect(
      film.status == 64
        && film.errors.contains("expected mask, spotlight, highlight, haze or blur"),
      "\(film.errors)")
    let help = try runDepth(["video", "--help"]).text
    #expect(help.contains("spotlight, highlight,") && !help.contains("cutout"))
  }

  @Test("a missing photo stops no other effects") func severalPhotosAndAFailure() throws {
    let folder = try TemporaryFolder()
    let (photo, _) = try scene(in: folder)
    let other = folder.path("other.png")
    try FileManager.default.copyItem(atPath: photo, toPath: other)
    let outcome = try runDepth([
      "effect", "highlight", photo, folder.path("none.png"), other, "--focus", "0.5",
      "--output-dir", folder.path("out"),
    ])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("none.png"))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()
    #expect(files == ["other_highlight.jpg", "photo_highlight.jpg"])
  }

  @Test(
    "bad input of an effect is refused with the reason",
    arguments: [
      (["--focus", "1.8"], 64, "--focus is 1.8, expected 0 to 1, or a distance with its unit"),
      (
        [], 64,
        "no focus, expected --focus subject or nearest, --focus with a distance such as 1.8m"
      ),
      (["--focus", "0.5", "--focus-at", "1,1"], 64, "exclude each other"),
      (["--focus", "near"], 64, "near"),
      (["--focus", "0.5", "--radius", "20%"], 64, "0 to 10%"),
      (["--focus", "0.5", "--radius", "1%", "--aperture", "2"], 64, "exclude each other"),
      (["--focus", "0.5", "--lens", "85mm"], 64, "--lens requires --aperture"),
      (["--focus", "0.5", "--aperture", "f/0"], 64, "f/0"),
      (["--focus", "0.001m"], 1, "photo.png: the focus is 0.001, expected a distance of 0.01 to"),
      (["--focus-at", "64,0"], 1, "photo.png: the point of focus is 64,0, expected a pixel"),
      (
        ["--focus-at", "0,0"], 1, "photo.png: the depth map has no value at the point of focus 0,0"
      ),
      (
        ["--focus", "0.5", "--aperture", "f/1.8"], 1,
        """
        photo.png: the photo's Exif has no focal length; give one, or an angle of view \
        (--focal-length or --fov)
        """
      ),
      // The photo's lens and the simulated lens are different.
      (
        ["--focus", "0.5", "--aperture", "f/1.8", "--lens", "85mm"], 1,
        "photo.png: the photo's Exif has no focal length"
      ),
    ])
  func badInputIsOneSentence(arguments: [String], status: Int32, message: String) throws {
    let folder = try TemporaryFolder()
    let (photo, depth) = try scene(in: folder)
    let outcome = try runDepth(
      ["effect", "blur", photo, "--depth", depth] + arguments)
    #expect(outcome.status == status)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("photo_blur.jpg")))
  }

  @Test("missing depth is reported by its file") func missingDepthIsReported() throws {
    let folder = try TemporaryFolder()
    let (photo, _) = try scene(in: folder)
    let missing = try runDepth([
      "effect", "haze", photo, "--depth", folder.path("nothing.pfm"),
    ])
    #expect(missing.status == 1 && missing.errors.contains("nothing.pfm"))
    let jpeg = folder.path("photo.jpg")
    try Image(contentsOf: URL(fileURLWithPath: photo)).write(to: URL(fileURLWithPath: jpeg))
    let embedded = try runDepth([
      "effect", "mask", jpeg, "--depth", "embedded", "--focus", "0.5",
    ])
    #expect(embedded.status == 1 && embedded.errors.contains("photo.jpg"))
  }
}
