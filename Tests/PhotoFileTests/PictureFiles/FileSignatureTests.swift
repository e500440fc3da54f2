import DepthErrors
import Testing

@testable import DepthBase
@testable import DepthImages
@testable import PictureFiles

@Suite struct FileSignatureTests {
  @Test(
    "an error names the kind of a file without a photo",
    arguments: [
      (Array("Dear reader, this is no photo.\n".utf8), "text"),
      (Array("Pfannkuchen".utf8), "text"), (Array("BMW".utf8), "text"),
      ([], "nothing (the file is empty)"), ([0, 0, 0, 0], "zeros"),
      ([1, 2, 3, 0xFE], "bytes of an unknown format"),
      (Array("GIF89a".utf8), "a GIF picture"),
      (Array("\0\0\0\u{18}ftypisom".utf8), "a video or another ISO media file"),
      (Array("\0\0\0\u{18}ftypcrx \0\0\0\u{1}crx isom".utf8), "a Canon CR3 raw picture"),
      (Array("\0\0\0\u{C}jP  \r\n".utf8), "a JPEG 2000 picture"),
      ([0xFF, 0x4F, 0xFF, 0x51, 0, 0x2F], "a JPEG 2000 picture"),
      (Array("#?RADIANCE\n".utf8), "a Radiance HDR picture"),
      (Array("qoif\0".utf8), "a QOI picture"),
      ([0, 0, 1, 0, 1, 0, 16, 16], "an ICO picture"),
      (Array("II*\0".utf8), "a TIFF picture"), (Array("%PDF-1.7".utf8), "a PDF document"),
      ([0x89] + Array("HDF\r\n".utf8), "an HDF5 file"),
      (
        PNGChunks.signature + PNGChunks.chunk("CgBI", [0x50, 0, 0x20, 2]),
        "a CgBI PNG (Apple's variant for apps)"
      ),
      (Array("P5\n32 24\n255\n".utf8), "a PGM picture"), (Array("P2 2 2 9".utf8), "a PGM picture"),
      (Array("P6\n# by a program\n2 2".utf8), "a PPM picture"),
      (Array("P3\n1 1\n255".utf8), "a PPM picture"), (Array("P4 8 1\n".utf8), "a PBM picture"),
      (Array("P7\nWIDTH 2\n".utf8), "a PAM picture"), (Array("P5 is a text".utf8), "text"),
      (Array("<!DOCTYPE html>\n<html lang=\"en\">".utf8), "an HTML page"),
      (Array("\u{FEFF}\r\n <HTML><HEAD>".utf8), "an HTML page"),
      (Array("<?xml version=\"1.0\"?><!doctype HTML>".utf8), "an HTML page"),
      (Array("How to write <html>".utf8), "text"), (Array("<svg><path/></svg>".utf8), "text"),
      (
        Array("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n".utf8),
        "a Git LFS pointer"
      ),
    ] as [([UInt8], String)])
  func errorSaysWhatWasFound(bytes: [UInt8], found: String) {
    let error = #expect(throws: DepthError.self) {
      try Image(decoding: bytes, name: "photo.jpg")
    }
    // OptionConflictTests compares the rest of the message for other formats.
    let remedy = FileSignature(of: bytes).remedy
    #expect(
      error?.description
        == "photo.jpg: holds \(found), expected a JPEG, PNG, HEIC, WebP or AVIF picture\(remedy)")
    let hasRemedy =
      found.hasSuffix(" picture")
      || ["a CgBI", "a Git LFS"].contains(where: found.hasPrefix)
    #expect(remedy.isEmpty != hasRemedy)
    #expect((error?.cause as? SettingAtFault == .film) == found.hasPrefix("a video"))
    #expect(throws: DepthError.self) { try DepthMap(decoding: bytes, name: "depth.png") }
  }

  @Test(
    "WebP, HEIC and AVIF are recognized by brand",
    arguments: [
      ("RIFF\0\0\0\0WEBPVP8 ", FileSignature.webp), ("\0\0\0\u{18}ftypheic", .heic),
      ("\0\0\0\u{14}ftypmsf1", .heic), ("\0\0\0\u{18}ftypavif", .avif),
      ("\0\0\0\u{18}ftypmif1\0\0\0\0mif1avif", .avif),
      ("\0\0\0\u{18}ftypABCD\0\0\0\0mif1heic", .heic),
      ("\0\0\0\u{10}ftypABCD\0\0\0\0heic", .other("a video or another ISO media file")),
    ])
  func photosOfOtherLibraries(start: String, signature: FileSignature) {
    #expect(FileSignature(of: Array(start.utf8)) == signature)
    // Depth files cannot have these formats.
    let error = #expect(throws: DepthError.self) {
      try DepthMap(decoding: Array(start.utf8), name: "d")
    }
    #expect(error?.code == .unsupportedFormat)
  }

  @Test("a PFM or NumPy file that is read as photo is named") func depthFilesAreNoPhotos() throws {
    let map = DepthMap(height: 1, width: 1, unit: .metres, values: [1])
    for (format, found) in [(DepthFileFormat.pfm, "a PFM float map"), (.npy, "a NumPy array")] {
      let bytes = try map.encoded(as: format)
      let error = #expect(throws: DepthError.self) { try Image(decoding: bytes, name: "d") }
      #expect(
        error?.description == "d: holds \(found), expected a JPEG, PNG, HEIC, WebP or AVIF picture")
    }
  }

  @Test("a file of at most three bytes is refused", arguments: 0..<4)
  func shortBytesAreRefused(count: Int) {
    for start in [[0xFF, 0xD8, 0xFF], PNGChunks.signature, Array("Pf\n".utf8)] as [[UInt8]] {
      #expect(throws: DepthError.self) {
        try Image(decoding: Array(start.prefix(count)), name: "short")
      }
    }
  }

  @Test("errorDescription equals description") func errorsReadTheSameThroughFoundation() {
    let error = DepthError.noPixels(file: "a.png", width: 0, height: 3)
    #expect(error.errorDescription == error.description)
  }
}
