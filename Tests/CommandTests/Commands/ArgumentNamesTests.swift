import ArgumentParser
import Foundation
import Testing
import _TestSupport

@testable import DepthCommands

/// Empty names and names that begin with a hyphen are wrong usage.
@Suite struct ArgumentNamesTests {
  /// A quoted unset variable gives an empty name.
  @Test(
    "an empty name is wrong usage that hints at an unset variable",
    arguments: [
      ["predict", "--recursive", ""], ["predict", livingRoom, "--output-dir", ""],
      ["predict", livingRoom, "--output-dir="], ["predict", livingRoom, "-o", ""],
      ["predict", livingRoom, "-o="], ["refine", livingRoom, ""],
      ["stereo", livingRoom, "--depth", ""],
      ["predict", "--files-from", ""], ["predict", livingRoom, "--manifest", ""],
      ["predict", livingRoom, "--view", ""], ["export", livingRoom, "-o", ""],
      ["evaluate", "", "--protocol", "laina"], ["weights", "info", ""],
      ["predict", livingRoom, "--weights", ""], ["predict", "--", ""],
    ])
  func emptyNamesAreWrongUsage(_ arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let outcome = try runDepth(arguments, in: folder)
    #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome.status) \(outcome.errors)")
    #expect(outcome.errors.contains("is empty"), "\(outcome.errors)")
    #expect(outcome.errors.contains("is a variable unset?"), "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test(
    "a photo named like an option is refused",
    arguments: ["-IMG_h.jpg", "-h.jpg", "-photo.png", "-oh-my.jpg", "-0h", "-1.h", "-5h.jpg"])
  func photosThatLookLikeOptionsAreWrongUsage(_ name: String) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(TemporaryFolder.bytes(of: livingRoom), to: name)
    let outcome = try runDepth(["predict", name], in: folder)
    #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome.status) \(outcome.errors)")
    #expect(
      outcome.errors.contains(
        "'\(name)' is not an option; a file of that name is './\(name)', or follows '--'"),
      "\(outcome.errors)")
    for way in [["./" + name], ["--", name]] {
      let command = try Depth.parsed(["predict", "--overwrite"] + way)
      #expect(try #require(command as? Predict).photos == [way[way.count - 1]])
    }
  }

  @Test("names like options are read after ./ and --")
  func photosThatLookLikeOptionsAreRead() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      #expect(FileManager.default.changeCurrentDirectoryPath(folder.path))
      _ = try folder.write(TemporaryFolder.bytes(of: livingRoom), to: "-h.jpg")
      for way in [["./-h.jpg"], ["--", "-h.jpg"]] {
        let outcome = try runDepth(
          ["predict", "--refine", "none", "--overwrite"] + way)
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
    }
  }

  @Test("options and numbers are not taken for files")
  func optionsAndNumbersAreNotFileNames() throws {
    for arguments in [
      ["-h"], ["-o", "x"], ["-o=d.png"], ["-0"], ["-"], ["-1"], ["-0.5"], ["-.5"], ["-90"],
      ["-0,1"], ["-1%"], ["-0.5m"], ["-1mm"], ["--view=v.png"], ["--", "-IMG.jpg"], ["--help"],
    ] {
      try ArgumentNames.check(arguments)
    }
    for arguments in [["-help"], ["-0h"], ["-x"], ["-oout.png"], ["-O", "x"], ["--view="], [""]] {
      #expect(throws: ValidationError.self, "\(arguments)") { try ArgumentNames.check(arguments) }
    }
  }
}
