import DepthBase
import DepthErrors
import DepthImages
import Foundation
import Testing
import _TestSupport

@testable import PictureFiles

/// Pictures by their file names, and errors about files without a picture.
@Suite struct PictureFileTests {
  @Test("an endless file is refused by its first bytes", arguments: ["/dev/zero", "/dev/urandom"])
  func endlessFilesAreRefusedByTheirFirstBytes(path: String) {
    #expect(throws: DepthError.self) { try Image(contentsOf: URL(filePath: path)) }
    #expect(throws: DepthError.self) { try DepthMap(contentsOf: URL(filePath: path)) }
  }

  @Test("a file of zeros is named as zeros") func zerosAreNamed() {
    #expect(
      throws: DepthError.unsupportedFormat(
        file: "/dev/zero", expected: "a JPEG, PNG, HEIC, WebP or AVIF picture", found: "zeros")
    ) { try Image(contentsOf: URL(filePath: "/dev/zero")) }
  }

  @Test("a missing file and a folder are unreadable") func unreadableInputs() throws {
    let folder = try TemporaryFolder()
    let missing = folder.url("none.jpg")
    #expect(
      throws: DepthError.unreadable(
        file: missing.relativePath, reason: "no such file or folder")
    ) { try Image(contentsOf: missing) }
    #expect(
      throws: DepthError.unreadable(
        file: URL(filePath: folder.path).relativePath, reason: "is a folder, expected a file")
    ) { try Image(contentsOf: URL(filePath: folder.path)) }
  }

  @Test("the extension decides a picture's format") func pictureFilesGoByExtension() throws {
    let folder = try TemporaryFolder()
    let picture = TestPicture.smooth(height: 9, width: 12)
    for (name, signature) in [("a.jpg", FileSignature.jpeg), ("b.JPEG", .jpeg), ("c.png", .png)] {
      try picture.write(to: folder.url(name), quality: 100, chroma: .full)
      #expect(FileSignature(of: try InputFile.bytes(of: folder.url(name))) == signature)
      let again = try Image(contentsOf: folder.url(name))
      #expect(try #require(TestPicture.distance(again, picture)) <= 4)
    }
    for (name, found) in [("d.gif", "ends in .gif"), ("e", "has no extension")] {
      let error = #expect(throws: DepthError.self) {
        try picture.write(to: folder.url(name))
      }
      #expect(
        try #require(error).description.hasSuffix("\(name): \(found), expected .png, .jpg, .jpeg"))
    }
    #expect(try folder.names == ["a.jpg", "b.JPEG", "c.png"])
  }
}
