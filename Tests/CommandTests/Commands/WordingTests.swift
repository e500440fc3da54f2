import ArgumentParser
import Foundation
import Testing
import _TestSupport

@testable import DepthCommands

/// Messages about common mistakes.
@Suite struct WordingTests {
  /// The message of a command line that cannot be parsed.
  private func message(_ arguments: String...) -> String { message(arguments) }

  private func message(_ arguments: [String]) -> String {
    do {
      _ = try Depth.parsed(arguments)
      return "no error"
    } catch {
      let text = CommandWord.suggestingOption(
        in: ArgumentNames.expectingNumber(in: Depth.fullMessage(for: error)), of: arguments)
      return String(text.prefix { $0 != "\n" })
    }
  }

  @Test("a focal length without unit is refused with the units") func aFocalLengthNeedsItsUnit() {
    #expect(
      message("predict", "a.jpg", "--focal-length", "26")
        == "Error: The value '26' is invalid for '--focal-length <length>': expected 26mm, 525px, exif or none; "
        + "write 26mm for a lens (35 mm equivalent), or 26px for pixels of the photo")
  }

  @Test(
    "the refusal of a value states the expected value",
    arguments: [
      (
        ["predict", "a.jpg", "--shard", "0/4"],
        "part I of N as I/N, such as 2/8, with I from 1 to N"
      ),
      (["predict", "a.jpg", "--fov", "70deg"], "a plain number, such as 70"),
      (["predict", "a.jpg", "--fov", "wide"], "a number"),
      (["predict", "a.jpg", "--threads", "1.5"], "a whole number"),
      (["stream", "--size", "640"], "width and height such as 640x480"),
      (["stream", "--rate", "fast"], "frames per second such as 25 or 30000:1001"),
      (
        ["watch", "--zone", "foo"],
        "upper, lower, left, center or right, or a name with three or more"
      ),
      (["watch", "--enter-time", "soon"], "a time such as 2s or 200ms"),
      (["watch", "--scan", "--scan-rows", "1"], "two shares of the picture's height"),
      (["video", "a.mp4", "--start", "soon"], "a time such as 90, 90s, 1:30 or 0:01:30"),
      (["stereo", "a.jpg", "--quilt", "8"], "columns and rows such as 8x6"),
    ])
  func aRefusedValueIsFollowedByWhatWasExpected(arguments: [String], expected: String) {
    let value = arguments.last!
    let option = arguments[arguments.count - 2]
    let text = message(arguments)
    #expect(text.hasPrefix("Error: The value '\(value)' is invalid for '\(option) <"), "\(text)")
    #expect(text.contains(">': expected \(expected)"), "\(text)")
  }

  @Test(
    "a value below zero counts as out of range",
    arguments: [("--focal-length", "-26mm"), ("--fov", "-5"), ("--baseline", "-.063m")])
  func valuesBelowZeroAreOutOfRange(option: String, value: String) {
    let text = message("stereo", "a.jpg", option, value)
    #expect(!text.contains("Missing value") && text.contains("-"), "\(text)")
    #expect(text.contains("expected"), "\(text)")
  }

  @Test("numbers below zero reach their option") func numbersBelowZeroReachTheirOption() throws {
    #expect(
      ArgumentNames.joiningNumbers(["stereo", "--shift", "-1%", "a", "--json", "--", "--x", "-1"])
        == ["stereo", "--shift=-1%", "a", "--json", "--", "--x", "-1"])
    let stereo = try #require(try Depth.parsed(["stereo", "a.jpg", "--shift", "-1%"]) as? Stereo)
    #expect(stereo.parallax.shift?.value == -0.01)
  }

  @Test(
    "a misspelled option gets a suggestion",
    arguments: [
      ("--out", "--output"), ("--recursve", "--recursive"), ("--presicion", "--precision"),
      ("--calib", "--calibration"),
    ])
  func optionsThatAreNearAreNamed(option: String, meant: String) {
    #expect(
      message("predict", "a.jpg", option)
        == "Error: Unknown option '\(option)'; did you mean '\(meant)'?")
  }

  /// Options of other programs are no misspellings.
  @Test(
    "an option unlike all others gets no suggestion",
    arguments: ["--gpu", "--device", "--scale", "--model"])
  func farOptionsGetNoSuggestion(option: String) {
    #expect(message("predict", "a.jpg", option) == "Error: Unknown option '\(option)'")
  }

  @Test("a missing focus is refused with examples") func effectsWithoutAFocusNameTheUsualOnes() {
    #expect(
      message("effect", "blur", "a.jpg").contains(
        "no focus, expected --focus subject or nearest, --focus with a distance such as 1.8m, or --focus-at"
      ))
  }

  @Test("other files and wrong codecs get a hint", .withFFmpeg)
  func otherFilesAndCodecsGetAHint() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Array("hello".utf8), to: "film.mp4")
    let text = try runDepth(["video", "film.mp4", "o.mp4", "--depth"], in: folder)
    #expect(text.errors.hasPrefix("depth: film.mp4: is not a film that ffmpeg reads ("))
    try FilmTools.ffmpeg("-f lavfi -i testsrc2=s=64x48:r=5:d=1 in.mp4", in: folder)
    let web = try runDepth(
      ["video", "in.mp4", "o.webm", "--depth", "--codec", "libx264"],
      in: folder)
    #expect(
      web.errors.contains("; .webm takes lib") && web.errors.hasSuffix(" (--codec)\n"),
      "\(web.errors)")
  }
}
