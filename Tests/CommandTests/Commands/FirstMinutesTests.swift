import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

@testable import DepthCommands

/// The result of `depth photo.jpg` without options.
@Suite struct FirstMinutesTests {
  private static func folderWithPhoto() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: livingRoom, toPath: folder.path + "/photo.jpg")
    return folder
  }

  @Test("a photo alone on the command line is predicted") func aPhotoAloneIsPredicted() async {
    await #expect(processExitsWith: .success) {
      let folder = try Self.folderWithPhoto()
      #expect(FileManager.default.changeCurrentDirectoryPath(folder.path))
      let named = try runDepth(["predict", "photo.jpg", "-o", "a.png"])
      let alone = try runDepth(["photo.jpg", "-o", "b.png"])
      #expect(named.status == 0 && alone.status == 0, "\(alone.errors)")
      let (a, b) = ("/a.png", "/b.png")
      #expect(
        FileManager.default.contentsEqual(atPath: folder.path + a, andPath: folder.path + b))
      let missing = try runDepth(["phoot.jpg"])
      #expect(missing.status == 1 && missing.errors == "depth: phoot.jpg: no such file or folder\n")
    }
  }

  @Test("one sentence states the result") func theResultIsStated() throws {
    let folder = try Self.folderWithPhoto()
    let first = try runDepth(["photo.jpg"], in: folder)
    #expect(first.status == 0 && first.output.isEmpty && first.errorLines.count == 3)
    #expect(first.errorLines[0].hasPrefix("depth: photo.jpg: has no focal length"))
    let sentence = /photo.jpg: [0-9]\.[0-9]{2} to [0-9]+\.[0-9]{2} m, wrote photo_depth.png/
    #expect(try sentence.wholeMatch(in: String(first.errorLines[1])) != nil, "\(first.errors)")
    #expect(first.errorLines[2].hasSuffix("--view adds a picture to look at"))
    // With a picture there is no further hint, and with --quiet no message.
    let view = try runDepth(
      ["photo.jpg", "--overwrite", "--view", "--fov", "63"], in: folder)
    #expect(view.status == 0 && view.errorLines.count == 1)
    #expect(view.errors.hasSuffix("wrote photo_depth.png, photo_depth_view.jpg\n"))
    for option in ["--quiet", "--json"] {
      let silent = try runDepth(["photo.jpg", "--overwrite", option], in: folder)
      #expect(silent.status == 0 && silent.errors.isEmpty, "\(silent.errors)")
    }
  }

  @Test("an unnamed view goes beside the depth") func aViewWithoutANameGoesBesideTheDepth() async {
    await #expect(processExitsWith: .success) {
      let folder = try Self.folderWithPhoto()
      #expect(FileManager.default.changeCurrentDirectoryPath(folder.path))
      let photo = try Image(contentsOf: URL(filePath: folder.path + "/photo.jpg"))
      for (arguments, name) in [
        (["photo.jpg", "--view"], "photo_depth_view.jpg"),
        (["photo.jpg", "--view", "-o", "near.pfm"], "near_view.jpg"),
        (
          ["refine", "photo.jpg", "near.pfm", "-o", "new/fine.png", "--view"],
          "new/fine_view.jpg"
        ),
      ] {
        try? FileManager.default.createDirectory(
          atPath: folder.path + "/new", withIntermediateDirectories: true)
        let outcome = try runDepth(arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let view = try Image(contentsOf: URL(filePath: "\(folder.path)/\(name)"))
        #expect((view.height, view.width) == (photo.height, photo.width))
      }
      // A photo with the picture's name is not overwritten.
      try FileManager.default.copyItem(
        atPath: livingRoom, toPath: folder.path + "/x_depth_view.jpg")
      let own = try runDepth(
        ["x_depth_view.jpg", "-o", "x_depth.png", "--overwrite", "--view"])
      #expect(
        own.status == 1 && own.errors.contains("is the input x_depth_view.jpg"), "\(own.errors)")
    }
  }

  @Test("the option --view may have no name") func viewsMayHaveNoName() throws {
    for (arguments, path) in [
      (["a.jpg", "--view"], nil), (["predict", "a.jpg", "--view"], nil),
      (["predict", "--view", "--json", "a.jpg"], nil), (["--view", "--", "a.jpg"], nil),
      (["predict", "--view", "v.png", "a.jpg"], "v.png"), (["--view", "v.png", "a.jpg"], "v.png"),
      (["predict", "--view", "-", "a.jpg"], "-"), (["predict", "--view=v.png", "a.jpg"], "v.png"),
    ] {
      let options = try #require(try Depth.parsed(arguments) as? Predict)
      #expect(options.photos == ["a.jpg"] && options.output.view.isGiven, "\(arguments)")
      #expect(options.output.view.place?.path == path, "\(arguments)")
    }
    let file = try #require(try Depth.parsed(["predict", "--", "--view"]) as? Predict)
    #expect(file.photos == ["--view"] && !file.output.view.isGiven)
    let refine = try #require(try Depth.parsed(["refine", "a.jpg", "d.png", "--view"]) as? Refine)
    #expect(refine.names == ["a.jpg", "d.png"] && refine.output.view.isGiven)
  }
}
