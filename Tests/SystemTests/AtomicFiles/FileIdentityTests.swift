import Foundation
import SystemEssentials
import Testing
import _TestSupport

@testable import DepthBase

/// Identities and facts of files.
@Suite struct FileIdentityTests {
  @Test("all paths to one file have one identity") func namesOfOneFileAreEqual() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write([1], to: "a")
    _ = try folder.write([1], to: "other")
    try #require(symlink("a", folder.path("symbolic")) == 0)
    try #require(link(folder.path("a"), folder.path("hard")) == 0)
    let identity = try #require(FileIdentity(of: folder.url("a")))
    for name in ["symbolic", "hard", "./a", "../\(folder.url("").lastPathComponent)/a"] {
      #expect(FileIdentity(of: folder.url(name)) == identity, "\(name)")
    }
    #expect(FileIdentity(of: folder.url("other")) != identity)
  }

  /// Two outputs can name one file before the file exists.
  @Test("a missing file is known by its folder and name")
  func missingFilesAreKnownByTheirFolder() throws {
    let folder = try TemporaryFolder()
    try #require(mkdir(folder.path("a"), 0o777) == 0)
    try #require(symlink("a", folder.path("linked")) == 0)
    let identity = try #require(FileIdentity(of: folder.url("a/new.png")))
    for name in ["linked/new.png", "a/./new.png", "a/none/../new.png"] {
      #expect(FileIdentity(of: folder.url(name)) == identity, "\(name)")
    }
    #expect(FileIdentity(of: folder.url("a/new2.png")) != identity)
    _ = try folder.write([1], to: "a/new.png")
    #expect(FileIdentity(of: folder.url("a/new.png")) != identity)
  }

  @Test("folders, pipes and devices have no identity") func pipesAndDevicesHaveNoIdentity() throws {
    let folder = try TemporaryFolder()
    try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
    for path in [folder.path, folder.path("pipe"), "/dev/null", "/dev/stdout", "/dev/fd/9"] {
      #expect(FileIdentity(of: URL(filePath: path)) == nil, "\(path)")
    }
  }

  @Test("a link gives the facts of the linked file") func factsAreOfTheFileBehindALink() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([1, 2, 3], to: "a")
    try #require(symlink("a", folder.path("link")) == 0)
    var times = [timeval(tv_sec: 12, tv_usec: 0), timeval(tv_sec: 34, tv_usec: 56)]
    try #require(utimes(path, &times) == 0)
    let facts = try #require(FileFacts(of: folder.url("link")))
    #expect(facts.bytes == 3 && facts.modified == 34_000_056_000)
    #expect(FileFacts(of: folder.url("")) == nil && FileFacts(of: folder.url("none")) == nil)
    #expect(FileFacts(of: URL(filePath: "/dev/null")) == nil)
  }
}
