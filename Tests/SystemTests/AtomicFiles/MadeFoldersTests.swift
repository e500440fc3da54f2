import Foundation
import Testing
import _TestSupport

@testable import DepthBase

/// Folders that a run makes.
@Suite struct MadeFoldersTests {
  private func exists(_ name: String, in folder: TemporaryFolder) -> Bool {
    FileManager.default.fileExists(atPath: folder.path(name))
  }

  private func make(_ name: String, in folder: TemporaryFolder, keeps: Bool) throws {
    let madeFolders = MadeFolders()
    try madeFolders.make(URL(filePath: folder.path(name)))
    #expect(exists(name, in: folder))
    if keeps { madeFolders.keep() }
  }

  @Test("empty folders of a run are removed") func emptyMadeFoldersAreRemoved() throws {
    let folder = try TemporaryFolder()
    try make("a/b/c", in: folder, keeps: false)
    #expect(!exists("a", in: folder))
    try make("a/b/c", in: folder, keeps: true)
    #expect(exists("a/b/c", in: folder))
    // The run does not own a folder that existed before.
    try make("a/b/c/d", in: folder, keeps: false)
    #expect(exists("a/b/c", in: folder) && !exists("a/b/c/d", in: folder))
  }

  @Test("a folder that a run made stays if it holds a file") func aFolderWithAFileStays() throws {
    let folder = try TemporaryFolder()
    var madeFolders: MadeFolders? = MadeFolders()
    for name in ["a/b", "a/c"] { try madeFolders?.make(URL(filePath: folder.path(name))) }
    _ = try folder.write([1], to: "a/b/file")
    madeFolders = nil
    #expect(exists("a/b/file", in: folder) && !exists("a/c", in: folder))
  }
}
