import DepthImages
import Foundation
import Testing
import _TestSupport

@testable import PictureFiles

/// The text inside a file changes no pixel and is found again.
@Suite(.offPool) struct FileNoteTests {
  private let text = "swift-depth 0.1.0 predict weights=" + String(repeating: "a1", count: 200)

  private static let picture = TestPicture.image

  private enum TestPicture {
    static let image = Image(
      height: 9, width: 13, pixels: (0..<351).map { UInt8($0 % 256) },
      metadata: ImageMetadata(
        iccProfile: [UInt8](repeating: 7, count: 90_000), exif: Array("MM\0*\0\0\0\u{8}\0\0".utf8)))
  }

  private func note(of bytes: [UInt8]) throws -> String? {
    let folder = try TemporaryFolder()
    return FileNote.text(of: URL(filePath: try folder.write(bytes, to: "file")))
  }

  @Test(arguments: [ImageFileFormat.png, .jpeg(), .jpeg(quality: 50, chroma: .full)])
  func picturesKeepTheirPixels(format: ImageFileFormat) throws {
    let plain = try Self.picture.encoded(as: format)
    let noted = try #require(FileNote.adding(text, to: plain))
    #expect(noted.count > plain.count + text.utf8.count)
    #expect(try note(of: noted) == text)
    #expect(try note(of: plain) == nil)
    let (before, after) = (
      try Image(decoding: plain, name: "plain"), try Image(decoding: noted, name: "noted")
    )
    #expect(before == after)
    // A second note would hide behind the first one or before it; either way one is read.
    #expect(try note(of: #require(FileNote.adding("other", to: noted))) == "other")
  }

  @Test func depthFilesKeepTheirUnit() throws {
    let map = DepthMap(height: 2, width: 3, unit: .disparity, values: [1, 2, 3, 4, 5, 6])
    let noted = try #require(FileNote.adding(text, to: map.encoded(as: .png)))
    #expect(try DepthMap(decoding: noted, name: "noted").unit == .disparity)
    #expect(try note(of: noted) == text)
    let metres = DepthMap(height: 1, width: 1, unit: .metres, values: [1])
    for format in [DepthFileFormat.pfm, .npy] {
      #expect(FileNote.adding(text, to: try metres.encoded(as: format)) == nil)
    }
  }

  /// Own files are known by the note, depth PNGs of earlier versions by their unit.
  @Test func ownFilesAreKnown() throws {
    let folder = try TemporaryFolder()
    let depth = try DepthMap(height: 1, width: 1, unit: .metres, values: [1]).encoded(as: .png)
    let jpeg = try Self.picture.encoded(as: .jpeg())
    for (bytes, isOwn) in [
      (depth, true), (jpeg, false), (try #require(FileNote.adding(text, to: jpeg)), true),
      ([], false), (Array("PNG?".utf8), false),
    ] {
      #expect(FileNote.isOwn(URL(filePath: try folder.write(bytes, to: "file"))) == isOwn)
    }
    #expect(!FileNote.isOwn(URL(filePath: folder.path("missing"))))
  }

  /// A GIF of one pixel with a global palette of two colors.
  private static let gif: [UInt8] =
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
    + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]

  @Test func gifCommentsAreCutIntoBlocks() throws {
    let noted = try #require(FileNote.adding(text, to: Self.gif))
    #expect(try note(of: noted) == text)
    #expect(Array(noted[..<19]) == Array(Self.gif[..<19]))
    #expect(Array(noted.suffix(Self.gif.count - 19)) == Array(Self.gif[19...]))
    #expect(noted[19] == 0x21 && noted[20] == 0xFE && noted[21] == 255)
  }

  @Test func multiPictureFilesAreLeftAlone() throws {
    let jpeg = try JPEGFile(Self.picture.encoded(as: .jpeg()), name: "JPEG")
    let indexed = jpeg.inserting(JPEGFile.segment(0xE2, Array("MPF\0".utf8) + [0, 0]))
    #expect(FileNote.adding(text, to: indexed) == nil)
  }

  /// Files cut anywhere, and bytes of no meaning: no crash, and no text but the whole one.
  @Test func damagedFilesHaveNoText() throws {
    for format in [ImageFileFormat.png, .jpeg()] {
      let noted = try #require(FileNote.adding(text, to: Self.picture.encoded(as: format)))
      for count in 0..<min(700, noted.count) {
        let found = FileNote.text(in: Array(noted[..<count]))
        #expect(found == nil || found == text)
        _ = FileNote.adding(text, to: Array(noted[..<count]))
      }
    }
    for count in 0..<Self.gif.count { _ = FileNote.adding(text, to: Array(Self.gif[..<count])) }
    let random = CounterStream("FileNote")
    for run in 0..<300 {
      let start = run % 2 == 0 ? [0xFF, 0xD8, 0xFF] : Array("GIF89a".utf8)
      let bytes = start + (0..<60).map { UInt8(truncatingIfNeeded: random[60 * run + $0]) }
      _ = FileNote.text(in: bytes)
      _ = FileNote.adding("x", to: bytes)
    }
  }
}
