import DepthErrors
import Foundation
import Testing
import _TestSupport

@testable import DepthCommands

/// Files that a film's folder of parts removes.
@Suite struct FilmFolderTests {
  private let names = [
    "film.json", "whole.part", "memory-12.plist", "00003.video", "00003-77.part",
    "00000.video.ffconcat", "00000.video.cover1", ".depth-0.part", FilmFolder.trialPictures,
    FilmFolder.trialFilm,
  ]

  @Test("a film's folder loses only files of runs") func onlyFilesOfRunsAreRemoved() throws {
    let temporary = try TemporaryFolder()
    let others = ["film.mp4", "00003.video.txt", "memory-.plist", "letter.txt", "3-a.part"]
    for name in names + others {
      _ = try FilmFolder(for: temporary.url("film.mp4"))
      _ = try temporary.write([1], to: ".film.mp4.depth/\(name)")
    }
    try FilmFolder(for: temporary.url("film.mp4")).remove()
    let left = try FileManager.default.contentsOfDirectory(
      atPath: temporary.path(".film.mp4.depth"))
    #expect(Set(left) == Set(others))
  }

  @Test("no file is removed through a planted link")
  func aPlantedLinkIsRefusedAndNothingIsRemoved() throws {
    let temporary = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: temporary.path("victim"), withIntermediateDirectories: false)
    for name in names { _ = try temporary.write([1], to: "victim/\(name)") }
    try FileManager.default.createSymbolicLink(
      atPath: temporary.path(".film.mp4.depth"), withDestinationPath: temporary.path("victim"))
    let error = #expect(throws: DepthError.self) {
      try FilmFolder(for: temporary.url("film.mp4")).remove()
    }
    #expect(error?.code == .unwritable)
    let left = try FileManager.default.contentsOfDirectory(atPath: temporary.path("victim"))
    #expect(Set(left) == Set(names))
  }

  /// A film's name may be as long as the file system allows.
  @Test(
    "the folder of a film with a long name has a shorter name",
    arguments: [248, 249, 255, 143], ["a", "視", "é"])
  func longNamesAreShortened(bytes: Int, letter: String) {
    let longest = bytes == 143 ? 143 : 255
    let count = (bytes - 4) / letter.utf8.count
    let film = String(repeating: letter, count: count) + ".mp4"
    let name = FilmFolder.name(for: film, upTo: longest)
    #expect(name.utf8.count <= longest && name.hasPrefix(".\(letter)") && name.hasSuffix(".depth"))
    #expect((name == ".\(film).depth") == (film.utf8.count + 7 <= longest))
    let other = String(repeating: letter, count: count) + ".mkv"
    #expect(FilmFolder.name(for: other, upTo: longest) != name)
  }

  @Test("a record of foreign paths is refused") func aRecordThatLeadsElsewhereIsNoRecord() throws {
    let temporary = try TemporaryFolder()
    let folder = try FilmFolder(for: temporary.url("film.mp4"))
    var record = FilmFolder.Record(fingerprint: ["a"], encoderThreads: 1)
    record.memory = "memory-1.plist"
    try folder.write(record)
    #expect(folder.record?.memory == "memory-1.plist")
    record.memory = "../memory-1.plist"
    try folder.write(record)
    #expect(folder.record == nil)
  }
}
