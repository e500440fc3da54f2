import DepthErrors
import Foundation
import Testing
import _TestSupport

@testable import DepthBase

/// Folders of this program beside a user's file.
@Suite struct OwnedFolderTests {
  private func refusal(_ url: URL) -> String? {
    do {
      _ = try OwnedFolder(at: url, for: "film")
      return nil
    } catch { return "\(error)" }
  }

  @Test("a second run cannot own a folder in use") func oneRunAtATimeOwnsAFolder() throws {
    let temporary = try TemporaryFolder()
    let url = URL(filePath: temporary.path("a"), directoryHint: .isDirectory)
    var held = [try OwnedFolder(at: url, for: "film")]
    #expect(refusal(url) == "film: another run of this program is creating it")
    held.removeAll()
    #expect(refusal(url) == nil)
  }

  @Test("a link in place of the owned folder is refused", arguments: ["folder", "file", "nothing"])
  func noLinkIsFollowed(to target: String) throws {
    let temporary = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: temporary.path("folder"), withIntermediateDirectories: false)
    _ = try temporary.write([1], to: "file")
    _ = try temporary.write([1], to: "folder/a")
    try FileManager.default.createSymbolicLink(
      atPath: temporary.path("link"), withDestinationPath: temporary.path(target))
    let refusal = refusal(URL(filePath: temporary.path("link"), directoryHint: .isDirectory))
    #expect(
      refusal?.hasSuffix("link is a link or a file, expected a folder of this program") == true,
      "\(refusal ?? "")")
    #expect(try temporary.names == ["file", "folder", "link"])
  }

  /// Network file systems give root's files to the user nobody, and some file systems have no users.
  @Test("a folder must belong to this user or to the owner of its files")
  func foldersOfOtherUsersAreRefused() throws {
    let temporary = try TemporaryFolder()
    let url = URL(filePath: temporary.path("a"), directoryHint: .isDirectory)
    func isFolder(_ descriptor: Int32) -> Bool {
      var status = stat()
      return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
    func folder(of user: uid_t, files: uid_t?) throws -> [String] {
      try OwnedFolder(at: url, for: "film") { isFolder($0) ? user : files }.names
    }
    let nobody: uid_t = 65_534
    #expect(try folder(of: nobody, files: nobody).isEmpty)
    #expect(try folder(of: geteuid(), files: nil).isEmpty)
    for files in [nobody, geteuid(), nil] {
      let error = #expect(throws: DepthError.self) { try folder(of: nobody - 1, files: files) }
      #expect(
        error?.message.hasSuffix("a belongs to another user") == true,
        "\(String(describing: error))")
      #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path("a")).isEmpty)
    }
  }

  @Test("removals stay in the opened folder after a renaming")
  func removalsStayInTheFolderThatWasOpened() throws {
    let temporary = try TemporaryFolder()
    _ = try temporary.write([1], to: "victim")
    let folder = try OwnedFolder(at: temporary.url("own"), for: "film")
    _ = try temporary.write([1], to: "own/a")
    _ = try temporary.write([1], to: "own/b")
    #expect(folder.names == ["a", "b"])
    folder.removeFile("../victim")
    // Another folder takes the opened folder's name.
    try FileManager.default.moveItem(atPath: temporary.path("own"), toPath: temporary.path("old"))
    try FileManager.default.createDirectory(
      atPath: temporary.path("own"), withIntermediateDirectories: false)
    _ = try temporary.write([1], to: "own/a")
    folder.removeFile("a")
    #expect(FileManager.default.fileExists(atPath: temporary.path("own/a")))
    #expect(!FileManager.default.fileExists(atPath: temporary.path("old/a")))
    folder.remove()
    #expect(try temporary.names == ["old", "own", "victim"])
  }
}
