import DepthErrors
import Foundation
import SystemEssentials
import Testing
import _TestSupport

@testable import DepthBase

/// Listing and creation of folders.
@Suite struct FolderTests {
  @Test("a listing is sorted and omits linked folders")
  func foldersAreListedInOrderWithoutLinkedOnes() throws {
    let folder = try TemporaryFolder()
    for name in ["b", "a"] { try #require(mkdir(folder.path(name), 0o777) == 0) }
    for name in ["z.jpg", "Z.jpg", "é.jpg"] { _ = try folder.write([1], to: name) }
    for (link, target) in [("linked", "a"), ("y.jpg", "z.jpg"), ("nowhere.jpg", "none")] {
      try #require(symlink(target, folder.path(link)) == 0)
    }
    try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
    let listing = try FolderListing(of: folder.url(""))
    // A dangling link is listed. Reading the link reports the error.
    #expect(listing.files == ["Z.jpg", "nowhere.jpg", "y.jpg", "z.jpg", "é.jpg"])
    #expect(listing.folders == ["a", "b"])
    #expect(throws: DepthError.self) { _ = try FolderListing(of: folder.url("none")) }
    #expect(throws: DepthError.self) { _ = try FolderListing(of: folder.url("z.jpg")) }
  }

  @Test("non-UTF-8 names are listed, read and written") func namesThatAreNotUTF8AreListed() throws {
    let folder = try TemporaryFolder()
    let path = Array(folder.path("caf").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
    try #require(descriptor >= 0)
    close(descriptor)
    defer { unlink(path) }
    let listing = try FolderListing(of: folder.url(""))
    #expect(listing.files.map(\.spelledOut) == ["caf\\xE9"])
    let name = try #require(listing.files.first)
    #expect(try InputFile.bytes(of: folder.url(name)).isEmpty)
    try AtomicFile.write([7], to: folder.url(name))
    #expect(try InputFile.bytes(of: folder.url(name)) == [7])
  }

  @Test("a folder has the same identity by every path") func aFolderIsTheSameByEveryPath() throws {
    let folder = try TemporaryFolder()
    try #require(mkdir(folder.path("a"), 0o777) == 0)
    try #require(symlink("a", folder.path("linked")) == 0)
    _ = try folder.write([1], to: "file")
    let identity = try #require(FolderListing.Identity(of: folder.url("a")))
    #expect(identity == FolderListing.Identity(of: folder.url("linked/.")))
    #expect(identity != FolderListing.Identity(of: folder.url("")))
    #expect(FolderListing.Identity(of: folder.url("file")) == nil)
  }

  @Test("a folder is made with all its parents") func foldersAreMadeWithThoseAbove() throws {
    let folder = try TemporaryFolder()
    for _ in 0..<2 { try AtomicFile.makeFolder(folder.url("a/b/c/")) }
    #expect(try FolderListing(of: folder.url("a/b")).folders == ["c"])
    _ = try folder.write([1], to: "file")
    for name in ["file", "file/below"] {
      let error = #expect(throws: DepthError.self) { try AtomicFile.makeFolder(folder.url(name)) }
      #expect(error?.code == .unwritable && error?.file?.hasSuffix(name) == true)
    }
    #expect(try TemporaryFolder.bytes(of: folder.path("file")) == [1])
  }
}
