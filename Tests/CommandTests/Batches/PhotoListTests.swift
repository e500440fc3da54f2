import DepthBase
import DepthErrors
import Foundation
import Testing
import _TestSupport

@testable import DepthCommands

/// Lists of photos, and shards of lists.
@Suite struct PhotoListTests {
  private func list(_ text: String, isNullTerminated: Bool = false) throws -> PhotoList {
    let folder = try TemporaryFolder()
    return try PhotoList(
      contentsOf: folder.write(Array(text.utf8), to: "list"), isNullTerminated: isNullTerminated)
  }

  @Test(
    "a mirrored path stays below the output folder",
    arguments: [
      ("a/b.jpg", "a/b.jpg"), ("/data/a.jpg", "data/a.jpg"), ("./a//b.jpg", "a/b.jpg"),
      ("../../x/a.jpg", "x/a.jpg"), ("a/../b.jpg", "b.jpg"),
    ])
  func mirroredPathsStayBelowTheOutputFolder(path: String, mirrored: String) {
    #expect(PhotoList.mirroredPath(path) == mirrored)
  }

  @Test("a manifest's last line for a photo counts") func theLastLineOfAManifestDecides() throws {
    let list = try list(
      """
      {"path":"p/a.jpg","relative":"a.jpg","error":"x"}
      {"path":"p/b.jpg","relative":"b.jpg","outputs":[]}
      {"path":"p/c.jpg","relative":"c.jpg","error":"x"}
      {"path":"p/a.jpg","relative":"a.jpg","outputs":["o"]}
      {"path":"p/b.jpg","relative":"b.jpg","error":"y"}
      {no manifest.jpg
      plain.jpg
      -

      """)
    #expect(
      list.photos.map(\.path) == ["{no manifest.jpg", "plain.jpg", "./-", "p/b.jpg", "p/c.jpg"])
    #expect(list.photos.last?.relativePath == "c.jpg")
    #expect(try self.list("a\nb\0c\0", isNullTerminated: true).photos.map(\.path) == ["a\nb", "c"])
  }

  @Test("paths of a manifest stay below the output folder")
  func manifestsStayBelowTheOutputFolderAndOffStandardInput() throws {
    let list = try list(
      """
      {"path":"p/a.jpg","relative":"../../etc/a.jpg","error":"x"}
      {"path":"p/b.jpg","relative":"/b.jpg","error":"x"}
      {"path":"p/c.jpg","error":"x"}
      {"path":"-","relative":"stdin","error":"x"}
      {"path":"./-","relative":"-","error":"x"}
      """)
    #expect(list.photos.map(\.path) == ["p/a.jpg", "p/b.jpg", "p/c.jpg", "./-"])
    #expect(list.photos.map(\.relativePath) == ["etc/a.jpg", "b.jpg", "c.jpg", "-"])
    #expect(list.failures.map(\.path) == ["-"])
    #expect(
      "\(try #require(list.failures.first).error)".contains("standard input cannot be read again"))
    // A finished photo needs no path.
    let done = try self.list(#"{"path":"-","relative":"stdin","outputs":["o"]}"#)
    #expect(done.photos.isEmpty && done.failures.isEmpty)
  }

  /// Windows lists end lines with CR and LF.
  @Test("carriage returns belong to line ends") func carriageReturnsBelongToTheLineEnd() throws {
    let list = try list(
      "a.jpg\r\nb c.jpg\r\n\r\n{\"path\":\"p/d.jpg\",\"relative\":\"d.jpg\",\"error\":\"x\"}\r\n")
    #expect(list.photos.map(\.path) == ["a.jpg", "b c.jpg", "p/d.jpg"] && list.failures.isEmpty)
    // With -0 every byte is part of the name.
    #expect(try self.list("a\r\0", isNullTerminated: true).photos.map(\.path) == ["a\r"])
  }

  /// A full disk can leave a cut last line, which is no path.
  @Test("a cut line of a manifest is a failure") func cutLinesOfManifestsAreFailures() throws {
    let list = try list(
      """
      {"path":"p/a.jpg","relative":"a.jpg","error":"x"}
      {"path":"p/b.jpg","rela
      """)
    #expect(list.photos.map(\.path) == ["p/a.jpg"] && list.failures.count == 1)
    #expect(
      "\(try #require(list.failures.first).error)".hasSuffix(
        "list: line 2 is a damaged line of a manifest, expected an object with the key 'path'"))
  }

  @Test("listed names that are not UTF-8 are read") func namesThatAreNotUTF8AreTaken() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array("a.jpg\n".utf8) + [0xE9, 0x0A], to: "list")
    let list = try PhotoList(contentsOf: path, isNullTerminated: false)
    #expect(list.photos.map(\.path.spelledOut) == ["a.jpg", "\\xE9"] && list.failures.isEmpty)
    #expect(list.photos.last?.path.fileNameBytes == [0xE9])
  }

  /// By zlib, CRC-32 of "a.jpg" is 0x9B34B216, of "b.jpg" 0xDC94C8C6 and of "123456789" 0xCBF43926.
  @Test("a photo's shard is chosen by CRC-32 of its name") func shardsAreChosenByCRC32() throws {
    for name in ["a.jpg", "b.jpg", "ordner/ä.jpg"] {
      let parts = (1...4).filter { Shard(word: "\($0)/4")?.contains(name) == true }
      #expect(parts.count == 1)
    }
    for name in ["a.jpg", "b.jpg", "123456789"] {
      #expect(Shard(word: "3/4")?.contains(name) == true)
    }
    #expect(Shard(word: "7/7")?.contains("a.jpg") == (0x9B34_B216 % 7 == 6))
    for text in ["", "1", "1/2/3", "0/2", "3/2", "a/b", "1/0", "1/100001"] {
      #expect(Shard(word: text) == nil, "\(text)")
    }
  }

  @Test(
    "times are written in seconds, minutes and hours",
    arguments: [(0, "0 s"), (59, "59 s"), (61, "1 min 1 s"), (3600, "1 h 0 min")])
  func timesReadWell(seconds: Int, text: String) {
    #expect(ProgressLine.text(seconds: seconds) == text)
  }

  @Test(
    "numbers have the given count of digits",
    arguments: [
      (1.005, 1, "1.0"), (0.05, 1, "0.1"), (-1.25, 2, "-1.25"), (-0.004, 2, "0.00"), (7, 0, "7"),
      (-0.4, 0, "0"), (12.3, 3, "12.300"),
    ])
  func numbersHaveTheirDigitsAndZeroHasNoSign(number: Double, digits: Int, text: String) {
    #expect(number.fixed(digits) == text)
  }
}
