import DepthImages
import Foundation
import Testing
import _TestSupport

@testable import PictureFiles

/// Pictures whose software tag names this program are recognized.
@Suite struct OwnPictureTests {
  private static func picture(software: String?) -> Image {
    var metadata = ImageMetadata(
      iccProfile: [UInt8](repeating: 7, count: 90_000), exif: Array("MM\0*\0\0\0\u{8}\0\0".utf8))
    metadata.software = software
    return Image(
      height: 9, width: 13, pixels: (0..<351).map { UInt8($0 % 256) }, metadata: metadata)
  }

  @Test(
    "a picture written by this program is recognized",
    arguments: [ImageFileFormat.png, .jpeg(), .jpeg(quality: 50, chroma: .full)])
  func theProgramsNameIsFound(format: ImageFileFormat) throws {
    let plain = try Self.picture(software: nil).encoded(as: format)
    let signed = try Self.picture(software: "swift-depth 0.1.0").encoded(as: format)
    #expect(OwnPicture.isOwn(signed) && !OwnPicture.isOwn(plain))
    #expect(try !OwnPicture.isOwn(Self.picture(software: "another").encoded(as: format)))
    // The software tag changes neither pixels nor profile nor Exif.
    #expect(try Image(decoding: plain, name: "plain") == Image(decoding: signed, name: "signed"))
  }

  @Test("gray and depth PNGs of this program are recognized")
  func grayPicturesAndDepthFilesAreFound() throws {
    let program = "swift-depth 0.1.0"
    #expect(
      try OwnPicture.isOwn(
        PNGParts.gray8([1], height: 1, width: 1, software: program, threads: 1)))
    #expect(
      try OwnPicture.isOwn(
        PNGParts.gray16([1], height: 1, width: 1, software: program, threads: 1)))
    #expect(try !OwnPicture.isOwn(PNGParts.gray8([1], height: 1, width: 1, threads: 1)))
    // A file that the library wrote without the command line is also recognized.
    let depth = try DepthMap(height: 1, width: 1, unit: .metres, values: [1]).encoded(as: .png)
    #expect(OwnPicture.isOwn(depth))
    let folder = try TemporaryFolder()
    #expect(OwnPicture.isOwn(URL(filePath: try folder.write(depth, to: "file"))))
    #expect(!OwnPicture.isOwn(folder.url("missing")))
  }

  @Test("truncated and random files are not own pictures") func damagedFilesAreNotOwn() throws {
    for format in [ImageFileFormat.png, .jpeg()] {
      let plain = try Self.picture(software: nil).encoded(as: format)
      for count in 0..<min(700, plain.count) { #expect(!OwnPicture.isOwn(Array(plain[..<count]))) }
    }
    let random = CounterStream("OwnPicture")
    for run in 0..<300 {
      let start = run % 2 == 0 ? [0xFF, 0xD8, 0xFF] : PNGChunks.signature
      let bytes = start + (0..<60).map { UInt8(truncatingIfNeeded: random[60 * run + $0]) }
      #expect(!OwnPicture.isOwn(bytes))
    }
  }
}
