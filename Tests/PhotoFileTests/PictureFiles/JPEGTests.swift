import CDepthTurboJPEG
import DepthErrors
import Testing
import _TestSupport

@testable import DepthBase
@testable import DepthImages
@testable import PictureFiles

@Suite struct JPEGTests {
  @Test(
    "JPEG of quality 100 is read back within a few levels",
    arguments: [(1, 1), (1, 17), (16, 16), (33, 47), (200, 3)], ChromaSubsampling.allCases)
  func roundTrip(size: (height: Int, width: Int), chroma: ChromaSubsampling) throws {
    let picture = TestPicture.smooth(height: size.height, width: size.width)
    let bytes = try picture.encoded(as: .jpeg(quality: 100, chroma: chroma))
    let decoded = try Image(decoding: bytes, name: "photo")
    let distance = try #require(TestPicture.distance(decoded, picture))
    // 4:2:0 averages the color of neighbors, and the shortest side has the steepest gradient.
    let steepest = 255 / max(1, min(size.height, size.width))
    #expect(distance <= (chroma == .full ? 4 : 4 + steepest))
  }

  @Test("only 4:4:4 keeps alternating colors") func fullChromaKeepsColorEdges() throws {
    let stripes = (0..<16 * 16).flatMap { x -> [UInt8] in x % 2 == 0 ? [255, 0, 0] : [0, 0, 255] }
    let picture = Image(height: 16, width: 16, pixels: stripes)
    func distance(_ chroma: ChromaSubsampling) throws -> Int {
      let bytes = try picture.encoded(as: .jpeg(quality: 100, chroma: chroma))
      return try #require(
        TestPicture.distance(Image(decoding: bytes, name: "stripes"), picture))
    }
    #expect(try distance(.full) <= 6)
    #expect(try distance(.quarter) > 60)
  }

  @Test("progressive JPEG gives the pixels of baseline JPEG")
  func progressiveGivesTheSamePixelsAsBaseline() throws {
    let picture = TestPicture.smooth(height: 61, width: 83)
    let baseline = try JPEGEncoder.bytes(of: picture, quality: 90, chroma: .quarter)
    let progressive = try JPEGEncoder.bytes(
      of: picture, quality: 90, chroma: .quarter, progressive: true)
    #expect(progressive.firstRange(of: [0xFF, 0xC2]) != nil, "no progressive frame header")
    #expect(
      try Image(decoding: progressive, name: "p").pixels
        == Image(decoding: baseline, name: "b").pixels)
  }

  @Test("a gray JPEG becomes three equal channels") func greyBecomesThreeEqualChannels() throws {
    let gray: [UInt8] = (0..<1200).map { UInt8($0 % 40 * 6) }
    let bytes = try TurboJPEG.compressed(
      gray, height: 30, width: 40, format: TJPF_GRAY, subsampling: TJSAMP_GRAY)
    let decoded = try Image(decoding: bytes, name: "gray")
    #expect((decoded.height, decoded.width) == (30, 40))
    for (index, value) in gray.enumerated() {
      let pixel = decoded.pixels[index * 3..<index * 3 + 3]
      #expect(Set(pixel).count == 1 && abs(Int(pixel.first ?? 0) - Int(value)) <= 3)
    }
  }

  /// Flat fields of paper, black, the three inks, red (magenta + yellow) and grays.
  static let inks: [(cmyk: [UInt8], rgb: [UInt8])] = [
    ([0, 0, 0, 0], [255, 255, 255]), ([0, 0, 0, 255], [0, 0, 0]),
    ([255, 0, 0, 0], [0, 255, 255]), ([0, 255, 0, 0], [255, 0, 255]),
    ([0, 0, 255, 0], [255, 255, 0]), ([0, 255, 255, 0], [255, 0, 0]),
    ([0, 0, 0, 127], [128, 128, 128]), ([255, 255, 0, 127], [0, 0, 128]),
    ([51, 102, 153, 51], [163, 122, 82]),
  ]

  /// The value 255 means no ink.
  @Test("CMYK inks become RGB, with and without an Adobe segment", arguments: [false, true])
  func inksBecomeRGB(adobe: Bool) throws {
    for (cmyk, rgb) in Self.inks {
      let stored = cmyk.map { 255 - $0 }
      let bytes = FlatJPEG(components: stored, adobeTransform: adobe ? 0 : nil).bytes
      let decoded = try Image(decoding: bytes, name: "inks")
      #expect(
        decoded.pixels == Array(repeatElement(rgb, count: 64).joined()),
        "\(cmyk) became \(decoded.pixels.prefix(3))")
    }
  }

  /// Photoshop writes YCCK. TurboJPEG also writes YCCK for CMYK.
  @Test("YCCK inks become RGB") func transformedInksBecomeRGB() throws {
    for (cmyk, rgb) in Self.inks {
      let field = Array(repeatElement(cmyk.map { 255 - $0 }, count: 256).joined())
      let bytes = try TurboJPEG.compressed(
        field, height: 16, width: 16, format: TJPF_CMYK, subsampling: TJSAMP_444)
      let name = try #require(bytes.firstRange(of: Array("Adobe".utf8))).lowerBound
      #expect(bytes[name + 11] == 2, "not YCCK")
      let decoded = try Image(decoding: bytes, name: "inks")
      let distance = TestPicture.distance(
        decoded,
        Image(height: 16, width: 16, pixels: Array(repeatElement(rgb, count: 256).joined())))
      #expect(try #require(distance) <= 3, "\(cmyk) became \(decoded.pixels.prefix(3))")
    }
  }

  @Test("YCbCr red is 254, 0, 0 at every size", arguments: [(8, 8), (1, 1), (9, 7), (24, 16)])
  func handAssembledColorIsExact(size: (height: Int, width: Int)) throws {
    // Y = 76, Cb = 85, Cr = 255 is pure red by T.871, section 7.
    let file = FlatJPEG(components: [76, 85, 255], width: size.width, height: size.height)
    let decoded = try Image(decoding: file.bytes, name: "red")
    #expect((decoded.height, decoded.width) == (size.height, size.width))
    #expect(
      decoded.pixels == Array(repeatElement([254, 0, 0], count: size.height * size.width).joined()))
  }

  @Test("a truncated JPEG is an error") func everyTruncationIsAnError() throws {
    let picture = TestPicture.noise(height: 40, width: 56, seed: 1)
    for progressive in [false, true] {
      let bytes = try JPEGEncoder.bytes(
        of: picture, quality: 80, chroma: .quarter, progressive: progressive)
      // The last two bytes are only the end marker.
      for length in truncations(of: bytes.count - 2) {
        #expect(throws: DepthError.self, "\(length) of \(bytes.count) bytes") {
          try Image(decoding: Array(bytes[..<length]), name: "cut.jpg")
        }
      }
    }
  }

  @Test("a JPEG without its end marker is complete", arguments: [1, 2])
  func missingEndMarkerIsTolerated(missing: Int) throws {
    let picture = TestPicture.noise(height: 40, width: 56, seed: 1)
    for bytes in [
      try JPEGEncoder.bytes(of: picture, quality: 80, chroma: .quarter),
      try JPEGEncoder.bytes(of: picture, quality: 80, chroma: .full, progressive: true),
      FlatJPEG(components: [100], width: 24, height: 16).bytes,
      FlatJPEG(components: [10, 20, 30, 40]).bytes,
    ] {
      let cut = Array(bytes.dropLast(missing))
      #expect(try Image(decoding: cut, name: "cut.jpg") == Image(decoding: bytes, name: "whole"))
    }
  }

  /// A progressive file that is cut between two scans has all pixels, but lacks some of their bits.
  @Test("a progressive JPEG that lacks a scan is an error") func missingScansAreAnError() throws {
    let picture = TestPicture.noise(height: 40, width: 56, seed: 1)
    let bytes = try JPEGEncoder.bytes(
      of: picture, quality: 80, chroma: .quarter, progressive: true)
    // A scan begins with a code table, or with the scan's marker if it has no table.
    let starts = bytes.indices.dropLast().filter {
      bytes[$0] == 0xFF && [0xC4, 0xDA].contains(bytes[$0 + 1])
    }
    let scans = starts.filter { bytes[$0 + 1] == 0xDA }
    #expect(scans.count > 5)
    for start in starts where start > scans[0] {
      for end: [UInt8] in [[], [0xFF]] {
        #expect(throws: DepthError.self, "\(start) of \(bytes.count) bytes") {
          try Image(decoding: bytes[..<start] + end, name: "cut.jpg")
        }
      }
    }
  }

  @Test("an error says that a truncated JPEG ends early")
  func truncationReadsAsOneSentence() throws {
    let bytes = try TestPicture.noise(height: 40, width: 56, seed: 1).encoded(as: .jpeg())
    let error = #expect(throws: DepthError.self) {
      try Image(decoding: Array(bytes[..<(bytes.count / 2)]), name: "cut.jpg")
    }
    #expect(error?.description == "cut.jpg: damaged JPEG: ends before its last pixel")
  }

  /// Some cameras leave bytes between the last block and the end marker.
  @Test("extra bytes before the end of a JPEG are tolerated")
  func extraneousBytesBeforeTheEndAreTolerated() throws {
    let bytes = FlatJPEG(components: [100]).bytes
    let odd = bytes.dropLast(2) + [0x11, 0x22, 0x33, 0xFF, 0xD9]
    #expect(
      try Image(decoding: Array(odd), name: "odd").pixels == [UInt8](repeating: 100, count: 192))
    #expect(
      try Image(decoding: Array(odd.dropLast(2)), name: "odd, without an end").pixels
        == [UInt8](repeating: 100, count: 192))
  }

  @Test("a damaged JPEG gives an error or a picture of its size")
  func damageInTheMiddleIsAnErrorOrAPictureOfTheSameSize() throws {
    let bytes = try TestPicture.noise(height: 24, width: 24, seed: 3).encoded(as: .jpeg())
    try expectDamageIsSurvived(bytes, from: 2, changes: 1...8, runs: 2_000, seed: 2)
  }

  @Test(
    "a JPEG with more stated pixels than its bytes hold is refused",
    arguments: [(30_000, 30_000), (16_000, 16_000), (65_535, 65_535), (4_000, 4_000)])
  func promisesThatTheFileCannotKeepAreRefused(size: (height: Int, width: Int)) throws {
    let header = FlatJPEG(components: [0, 0, 0], width: size.width, height: size.height).header
    let error = #expect(throws: DepthError.self) {
      try Image(decoding: header, name: "bomb.jpg")
    }
    // Both errors are found before memory for pixels is requested.
    let sentence = try #require(error).description
    let pixels = "\(size.width)×\(size.height) pixels"
    #expect(
      sentence.contains("is \(pixels)")
        || sentence.contains("\(header.count) bytes cannot hold \(pixels)"))
  }

  @Test("a JPEG without rows or columns is refused", arguments: [(0, 5), (5, 0), (0, 0)])
  func emptySidesAreRefused(size: (height: Int, width: Int)) {
    let header = FlatJPEG(components: [0], width: size.width, height: size.height).header
    #expect(
      throws: DepthError.noPixels(file: "empty", width: size.width, height: size.height)
    ) { try Image(decoding: header, name: "empty") }
  }

  @Test("a row of 65501 pixels fits into PNG, not into JPEG")
  func sidesBeyondTheFormatAreRefused() {
    let line = Image(height: 1, width: 65_501, pixels: [UInt8](repeating: 9, count: 3 * 65_501))
    #expect(throws: DepthError.self) { try line.encoded(as: .jpeg()) }
    #expect(throws: Never.self) { try line.encoded(as: .png) }
  }

  @Test(
    "lossless, hierarchical and 12-bit JPEG are named",
    arguments: [
      (0xC3, 8, "is a lossless JPEG"), (0xC5, 8, "is a hierarchical JPEG"),
      (0xC1, 12, "is a JPEG of 12 bits per sample"),
    ])
  func unusualProcessesAreNamed(frame: UInt8, precision: UInt8, words: String) throws {
    var bytes = try TestPhoto.image().encoded(as: .jpeg())
    let header = try #require(bytes.firstRange(of: [0xFF, 0xC0] as [UInt8]))
    (bytes[header.lowerBound + 1], bytes[header.upperBound + 2]) = (frame, precision)
    let error = #expect(throws: DepthError.self) { try Image(decoding: bytes, name: "a.jpg") }
    #expect(error?.code == .unsupportedFormat && error?.message.hasPrefix(words) == true)
  }

  /// Arithmetic coding packs flat pictures into fewer bytes than Huffman coding. Checks for Huffman
  /// coding would refuse such photos as too short.
  @Test(
    "arithmetic coding is recognized by its frame",
    arguments: [(0xC0, false), (0xC2, false), (0xC9, true), (0xCA, true)] as [(UInt8, Bool)])
  func arithmeticCodingIsKnownByItsFrame(marker: UInt8, isArithmetic: Bool) throws {
    var bytes = try TestPicture.smooth(height: 64, width: 64).encoded(as: .jpeg())
    let frame = try #require(bytes.firstRange(of: [0xFF, 0xC0, 0, 17])).lowerBound
    bytes[frame + 1] = marker
    let header = try JPEGHeader(bytes, file: "a.jpg")
    #expect(header.isArithmetic == isArithmetic)
    #expect(header.isPlausible(byteCount: 1) == isArithmetic)
  }

  /// A profile that lacks a part would give wrong colors.
  @Test("an incomplete profile of a JPEG is ignored") func aProfileNeedsAllOfItsParts() throws {
    func profile(_ parts: [UInt8]) throws -> [UInt8]? {
      let segments = parts.flatMap { part in
        JPEGFile.segment(JPEGMarker.app2, Array("ICC_PROFILE\0".utf8) + [part, 2, part, part])
      }
      let file = JPEGEncoder.inserting(segments, into: FlatJPEG(components: [100]).bytes)
      return try JPEGHeader(file, file: "a.jpg").iccProfile
    }
    #expect(try profile([1, 2]) == [1, 1, 2, 2] && profile([2, 1]) == [1, 1, 2, 2])
    #expect(try profile([1]) == nil && profile([2]) == nil && profile([]) == nil)
  }

  /// Readers search for Exif before all other segments.
  @Test("an added JPEG segment follows Exif") func addedSegmentsLeaveExifFirst() throws {
    let photo = ExifFixture().inserted(into: FlatJPEG(components: [100]).bytes)
    let comment = JPEGFile.segment(JPEGMarker.comment, Array("added".utf8))
    let file = try JPEGFile(photo, name: "a.jpg").inserting(comment)
    let exif = try #require(file.firstRange(of: Array("Exif\0".utf8))?.lowerBound)
    #expect(try exif < #require(file.firstRange(of: comment)?.lowerBound))
  }
}
