import ArgumentParser
import DepthBase
import DepthErrors
import Foundation
import Testing
import _TestSupport

@testable import DepthCommands

/// The outputs of `depth video` for a folder, and files that are never overwritten.
@Suite struct FilmOutputsTests {
  private func folder(of names: [String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in names { _ = try folder.write([1], to: name) }
    return folder
  }

  private func films(_ words: [String]) throws -> [FilmOutput] {
    let madeFolders = MadeFolders()
    let films = try Video.parse(words + ["--depth"]).selection.films(making: madeFolders)
    madeFolders.keep()
    return films
  }

  @Test("every film of a folder gets a place for its output") func everyFilmHasAPlace() throws {
    let folder = try folder(of: ["a.mp4", "a.mkv", "b.AVI", "b_depth.mkv", ".c.mp4", "d.txt"])
    let outputs = try films([folder.path]).map(\.output.lastPathComponent)
    #expect(outputs == ["a_depth.mkv", "a_depth.mp4", "b_depth.mkv"])
    // This film is only named like a result.
    _ = try folder.write([1], to: "e_depth.mp4")
    let all = try films([folder.path]).map(\.output.lastPathComponent)
    #expect(all == outputs + ["e_depth_depth.mp4"])
    try FileManager.default.removeItem(atPath: folder.path("e_depth.mp4"))
    let elsewhere = try films([folder.path, folder.path("new")]).map(\.output.lastPathComponent)
    #expect(elsewhere == ["a_depth.mkv", "a_depth.mp4", "b_depth.mkv", "b_depth_depth.mkv"])
    #expect(FileManager.default.fileExists(atPath: folder.path("new")))
  }

  /// As for photos, one file goes into an existing folder.
  @Test("no folder is made for a named output") func noFolderIsMadeForANamedFilm() throws {
    let folder = try folder(of: ["a.mp4"])
    let error = #expect(throws: DepthError.self) {
      try films([folder.path("a.mp4"), folder.path("new/b.mp4")])
    }
    #expect(error?.description.contains("new does not exist") == true, "\(error as Any)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
  }

  @Test(
    "two films with one output are refused before any is made",
    arguments: [["a.avi", "a.wmv"], ["a.avi", "a.mkv"], ["a.MP4", "a.mp4"]],
    [[], ["--skip-existing"], ["--overwrite"]])
  func noTwoFilmsBecomeOne(names: [String], words: [String]) throws {
    let folder = try folder(of: names)
    let ending = names[1] == "a.mp4" ? "mp4" : "mkv"
    let conflict = OutputConflict.sameFile(
      file: folder.path("new/a_depth.\(ending)"), photos: names.map { folder.path($0) })
    #expect(throws: conflict) { try films([folder.path, folder.path("new")] + words) }
    #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
  }

  @Test("a film never replaces an input") func noFilmReplacesAnInput() throws {
    let folder = try folder(of: ["a.mp4"])
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: folder.path("soft.mp4"), withDestinationPath: folder.path("a.mp4"))
    try manager.linkItem(atPath: folder.path("a.mp4"), toPath: folder.path("hard.mp4"))
    try manager.createDirectory(
      atPath: folder.path("new"), withIntermediateDirectories: true)
    try manager.createSymbolicLink(
      atPath: folder.path("new/a_depth.mp4"), withDestinationPath: folder.path("a.mp4"))
    for name in ["a.mp4", "new/../a.mp4", "soft.mp4", "hard.mp4", "new/"] {
      let error = #expect(throws: OutputConflict.self, "\(name)") {
        try films([folder.path("a.mp4"), folder.path(name), "--overwrite"])
      }
      guard case .overInput(_, folder.path("a.mp4"))? = error else {
        Issue.record("\(name): \(String(describing: error))")
        continue
      }
    }
  }
}
