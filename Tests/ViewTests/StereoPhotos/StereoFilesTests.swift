import DepthImages
import PictureFiles
import StereoPhotos
import Testing
import ViewSynthesis
import _TestSupport

@Suite struct StereoFilesTests {
  @Test(
    "the files of every stereo format match their suffix",
    arguments: StereoFormat.ofAnyPhoto)
  func everyFormatHasANameASuffixAndAFile(_ format: StereoFormat) throws {
    #expect(StereoFormat(name: format.name) == format)
    var output = StereoOutput()
    output.quiltWidth = 256
    let files = try TestPhoto.image().stereoFiles(
      as: format, depth: TestPhoto.depth(), output: output)
    #expect(files.count == (format == .leftRight ? 2 : 1))
    for file in files {
      let signature: [UInt8] =
        if file.ending.hasSuffix(".png") {
          [0x89, 0x50]
        } else if file.ending.hasSuffix(".gif") { Array("GIF89a".utf8) } else { [0xFF, 0xD8] }
      #expect(file.bytes.starts(with: signature), "\(file.ending)")
    }
  }

  @Test(
    "a photo one pixel wide or high has every stereo format",
    arguments: StereoFormat.ofAnyPhoto, [(1, 5), (5, 1), (1, 1)])
  func photosOfOnePixelSideAreWhole(_ format: StereoFormat, _ size: (Int, Int)) throws {
    let photo = TestPhoto.image(height: size.0, width: size.1)
    let depth = TestPhoto.depth(height: size.0, width: size.1)
    #expect(try !photo.stereoFiles(as: format, depth: depth).isEmpty)
  }

  @Test("suffixes are those that viewers know") func suffixesAreThoseThatViewersKnow() throws {
    func ending(_ format: StereoFormat) throws -> [String] {
      try TestPhoto.image().stereoFiles(as: format, depth: TestPhoto.depth()).map(\.ending)
    }
    #expect(try ending(.sideBySide) == ["_LRF_Full_SBS.jpg"])
    #expect(try ending(.sideBySideHalf) == ["_LR.jpg"])
    #expect(try ending(.overUnder) == ["_TBF_fulltb.jpg"])
    #expect(try ending(.overUnderHalf) == ["_TB.jpg"])
    #expect(try ending(.crossEyed) == ["_RLF_cross.jpg"])
    #expect(try ending(.leftRight) == ["_L.jpg", "_R.jpg"])
    #expect(try ending(.quilt(columns: 4, rows: 2)) == ["_qs4x2a1.33.jpg"])
    #expect(try ending(.mpo) == [".mpo"])
    #expect(StereoFormat(name: "anaglyph") == .anaglyph(.redCyan))
    #expect(StereoFormat(name: "smell") == nil)
  }

  @Test("stereo files keep Exif and profile")
  func anaglyphsKeepAllOfTheirColorAndExifStaysWithThePhoto() throws {
    var photo = TestPhoto.image()
    // A TIFF header and a table with one entry, which states an upright photo.
    photo.metadata.exif =
      Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    // The part of a profile that states RGB.
    photo.metadata.iccProfile =
      [UInt8](repeating: 3, count: 16) + "RGB ".utf8 + [UInt8](repeating: 3, count: 180)
    let anaglyph = try photo.stereoFiles(as: .anaglyph(.redCyan), depth: TestPhoto.depth())[0].bytes
    // The frame header has sampling factors 1×1 for the first component.
    let frame = try #require(
      anaglyph.indices.dropLast(12).first { anaglyph[$0] == 0xFF && anaglyph[$0 + 1] == 0xC0 })
    #expect(anaglyph[frame + 11] == 0x11)
    for format in [StereoFormat.sideBySide, .anaglyph(.gray), .mpo, .wiggle] {
      let file = try photo.stereoFiles(as: format, depth: TestPhoto.depth())[0]
      let back = try Image(decoding: file.bytes, name: file.ending)
      #expect(back.metadata.exif != nil && back.metadata.iccProfile == photo.metadata.iccProfile)
    }
  }

  @Test("a wiggle of four views has six frames") func smoothAnimationGoesThereAndBack() throws {
    var output = StereoOutput()
    output.animationViews = 4
    output.animationWidth = 32
    let file = try TestPhoto.image().stereoFiles(
      as: .wiggle, depth: TestPhoto.depth(), output: output)[0]
    // acTL has the frame count: 4 views, and 2 views on the way back.
    let control = try #require(
      file.bytes.indices.dropLast(8).first { file.bytes[$0..<$0 + 4].elementsEqual("acTL".utf8) })
    #expect(file.bytes[control + 7] == 6)
    #expect(try Image(decoding: file.bytes, name: "wiggle").width == 32)
  }

  @Test("the number of pixels of all frames is known in advance")
  func theMemoryOfAllFramesIsForeseen() {
    var output = StereoOutput()
    (output.animationViews, output.animationWidth, output.quiltWidth) = (8, 100, 400)
    func pixels(_ format: StereoFormat) -> Int {
      format.pixels(height: 300, width: 200, output: output)
    }
    #expect(pixels(.wiggle) == 14 * 100 * 150 && pixels(.wiggleGIF) == 14 * 100 * 150)
    #expect(pixels(.quilt(columns: 8, rows: 6)) == 48 * 50 * 75)
    output.animationViews = 2
    #expect(pixels(.wiggle) == 2 * 100 * 150)
  }
}
