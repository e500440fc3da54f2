import DepthErrors
import DepthImages
import DepthPhotos
import Foundation
import PictureFiles
import Testing
import _TestSupport

@Suite struct DepthPhotoTests {
  @Test("depth in a photo is read back within 0.03 %", arguments: DepthPhoto.Format.allCases)
  func depthComesBackWithinAStepOfItsCode(_ format: DepthPhoto.Format) throws {
    let depth = TestPhoto.depth(height: 30, width: 40)
    let file = try DepthPhoto.encode(TestPhoto.image(), depth: depth, as: format)
    let found = try DepthPhoto.depth(decoding: file, name: "photo.jpg")
    #expect(found.unit == .metres && found.width == 40 && found.height == 30)
    for (a, b) in zip(found.values, depth.values) { #expect(abs(a - b) < 0.0003 * b) }
    // Photo readers still read the file as a photo.
    let plain = try Image(decoding: TestPhoto.image().encoded(as: .jpeg()), name: "plain")
    #expect(try Image(decoding: file, name: "photo.jpg").pixels == plain.pixels)
  }

  @Test("depth above 64 KB is read back from several pieces")
  func extendedPacketStandsInSeveralPieces() throws {
    // Noise does not compress, so the base64 is far above 64 KB.
    var state: UInt64 = 5
    let values = (0..<240 * 320).map { _ -> Float in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return 1 + Float(state >> 40) / Float(1 << 24)
    }
    let depth = DepthMap(height: 240, width: 320, unit: .metres, values: values)
    let file = try DepthPhoto.encode(TestPhoto.image(), depth: depth, as: .gDepth)
    let found = try DepthPhoto.depth(decoding: file, name: "photo.jpg")
    for (a, b) in zip(found.values, values) { #expect(abs(a - b) < 0.0001 * b) }
  }

  @Test(
    "ExifTool reads every GDepth field without a warning",
    .enabled(if: ExternalReader.exifTool.isInstalled, "ExifTool is not installed"))
  func exifToolReadsEveryGDepthField() throws {
    let said = try ExternalReader.exifTool.run(
      ["-s", "-a", "-XMP:all", "-warning", "FILE"],
      on: DepthPhoto.encode(TestPhoto.image(), depth: TestPhoto.depth(), as: .gDepth),
      named: "photo.jpg")
    for (tag, value) in [
      ("Format", "RangeInverse"), ("Near", "1.25"), ("Far", "4.97"), ("Mime", "image/png"),
      ("Units", "m"), ("MeasureType", "OpticalAxis"), ("Software", "swift-depth"),
      ("ImageWidth", "64"), ("ImageHeight", "48"), ("HasExtendedXMP", ":"),
      ("DepthImage", "(Binary"),
    ] {
      let line = said.split(separator: "\n").first { $0.contains(tag) && $0.contains(value) }
      #expect(line != nil, "\(tag) \(value) is missing in\n\(said)")
    }
    #expect(!said.contains("Warning"), "\(said)")
  }

  @Test(
    "ExifTool joins the pieces of the extended packet to a PNG",
    .enabled(if: ExternalReader.exifTool.isInstalled, "ExifTool is not installed"))
  func exifToolPutsTheExtendedPacketTogether() throws {
    // ExifTool does not check the picture. A complete PNG ends in IEND with a checksum.
    let said = try ExternalReader.exifTool.run(
      ["-b", "-DepthImage", "FILE"],
      on: DepthPhoto.encode(
        TestPhoto.image(), depth: TestPhoto.depth(height: 480, width: 640), as: .gDepth),
      named: "photo.jpg")
    #expect(said.contains("IHDR") && said.contains("IEND"))
  }

  @Test(
    "ExifTool reads the Dynamic Depth directory without a warning",
    .enabled(if: ExternalReader.exifTool.isInstalled, "ExifTool is not installed"))
  func exifToolReadsTheDynamicDepthDirectory() throws {
    let said = try ExternalReader.exifTool.run(
      ["-s", "-a", "-XMP:all", "-warning", "FILE"],
      on: DepthPhoto.encode(TestPhoto.image(), depth: TestPhoto.depth(), as: .dynamicDepth),
      named: "photo.jpg")
    for expected in [
      "RangeInverse", "1.25", "Meters", "android/depthmap", "image/png", "DepthPhoto",
      "OpticalAxis",
    ] {
      #expect(said.contains(expected), "\(expected) is missing in\n\(said)")
    }
    #expect(!said.contains("Warning"), "\(said)")
  }

  @Test("linear GDepth in millimetres is read") func readsWhatOthersWrite() throws {
    // The file has RangeLinear, XML elements, eight bits and millimetres.
    let gray = Image(height: 1, width: 2, pixels: [0, 0, 0, 255, 255, 255])
    let base64 = base64(try gray.encoded(as: .png))
    let xmp =
      "<?xpacket begin='' id='x'?><x:xmpmeta xmlns:x='adobe:ns:meta/'><r:RDF "
      + "xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><r:Description "
      + "xmlns:G='http://ns.google.com/photos/1.0/depthmap/'><G:Format>RangeLinear</G:Format>"
      + "<G:Near>500</G:Near><G:Far> 3500 </G:Far><G:Units>mm</G:Units><G:Data>\(base64)</G:Data>"
      + "</r:Description></r:RDF></x:xmpmeta><?xpacket end='w'?>"
    let file = try jpeg(withXMP: xmp)
    let depth = try DepthPhoto.depth(decoding: file, name: "other.jpg")
    #expect(depth.unit == .metres && depth.values == [0.5, 3.5])
  }

  /// Photo editors leave pieces of other packets before the depth's pieces.
  @Test("pieces of another packet do not affect the depth")
  func piecesOfAnotherPacketDoNotSpoilTheDepth() throws {
    let file = try DepthPhoto.encode(
      TestPhoto.image(), depth: TestPhoto.depth(height: 30, width: 40), as: .gDepth)
    let other = Array(
      "http://ns.adobe.com/xmp/extension/\0\(String(repeating: "7", count: 32))".utf8)
    let piece = JPEGFile.segment(0xE1, other + [0, 0, 0, 8, 0, 0, 0, 4] + Array("<b/>".utf8))
    let edited = file[..<2] + piece + file[2...]
    #expect(
      try DepthPhoto.depth(decoding: Array(edited), name: "edited.jpg")
        == DepthPhoto.depth(decoding: file, name: "photo.jpg"))
  }

  @Test("a wall at one distance keeps this distance", arguments: DepthPhoto.Format.allCases)
  func oneDistanceComesBack(_ format: DepthPhoto.Format) throws {
    let wall = DepthMap(height: 3, width: 4, unit: .metres, values: .init(repeating: 2, count: 12))
    let file = try DepthPhoto.encode(TestPhoto.image(), depth: wall, as: format)
    let found = try DepthPhoto.depth(decoding: file, name: "photo.jpg")
    #expect(found.values.allSatisfy { abs($0 - 2) < 1e-3 })
  }

  /// A wrong name loses a piece and leaves zeros in the packet.
  @Test("a lost piece of a packet is an error") func everyPieceOfThePacketMustBeThere() throws {
    let noise = CounterStream("depth photo")
    let depth = DepthMap(
      height: 120, width: 320, unit: .metres,
      values: (0..<120 * 320).map { 1 + Float(noise[$0]) / 0x1p24 })
    let file = try DepthPhoto.encode(TestPhoto.image(), depth: depth, as: .gDepth)
    let pieces = try JPEGFile(file, name: "photo.jpg").segments.filter {
      file[$0.body].starts(with: "http://ns.adobe.com/xmp/extension/".utf8)
    }
    try #require(pieces.count > 1)
    var lost = file
    lost[pieces[1].body.lowerBound] = 0
    let error = #expect(throws: DepthError.self) {
      try DepthPhoto.depth(decoding: lost, name: "lost.jpg")
    }
    #expect(error?.message.contains("the extended packet is incomplete") == true)
  }

  @Test("padding after another picture is skipped before the depth")
  func gapsBehindOtherPicturesAreLeftOut() throws {
    let gray = Image(height: 1, width: 2, pixels: [0, 0, 0, 255, 255, 255])
    let png = try gray.encoded(as: .png)
    let names =
      "xmlns:D='http://ns.google.com/photos/dd/1.0/depthmap/' "
      + "xmlns:I='http://ns.google.com/photos/dd/1.0/item/'"
    let photo = try jpeg(
      withXMP: "<a \(names)><i I:DataURI='p' I:Length='0'/>"
        + "<i I:DataURI='x' I:Length='3' I:Padding='2'/><i I:DataURI='d' I:Length='\(png.count)'/>"
        + "<m D:DepthURI='d' D:Format='RangeLinear' D:Near='1' D:Far='3' D:Units='m'/></a>")
    let depth = try DepthPhoto.depth(
      decoding: photo + [7, 7, 7, 0, 0] + png, name: "three.jpg")
    #expect(depth.unit == .metres && depth.values == [1, 3])
  }

  /// The gain map of an HDR photo precedes the depth. Dynamic Depth's directory does not list the
  /// map.
  @Test("a gain map is not read as depth", arguments: [true, false])
  func aGainMapIsNoDepth(isBehind: Bool) throws {
    let png = try Image(height: 1, width: 2, pixels: [0, 0, 0, 255, 255, 255]).encoded(as: .png)
    let gain = try Image(height: 1, width: 2, pixels: [255, 255, 255, 0, 0, 0]).encoded(as: .png)
    let names =
      "xmlns:D='http://ns.google.com/photos/dd/1.0/depthmap/' "
      + "xmlns:I='http://ns.google.com/photos/dd/1.0/item/' "
      + "xmlns:G='http://ns.google.com/photos/1.0/container/item/'"
    let photo = try jpeg(
      withXMP: "<a \(names)><g G:Semantic='Primary' G:Mime='image/jpeg'/>"
        + "<g G:Semantic='GainMap' G:Mime='image/png' G:Length='\(gain.count)' G:Padding='3'/>"
        + "<i I:DataURI='p' I:Length='0'/><i I:DataURI='d' I:Length='\(png.count)'/>"
        + "<m D:DepthURI='d' D:Format='RangeLinear' D:Near='1' D:Far='3' D:Units='m'/></a>")
    // If an editor removed the gain map, the depth follows the photo.
    let file = photo + (isBehind ? gain + [0, 0, 0] : []) + png
    #expect(try DepthPhoto.depth(decoding: file, name: "gain.jpg").values == [1, 3])
  }

  @Test("padding between photo and depth is skipped") func aGapBehindThePhotoIsLeftOut() throws {
    let file = try DepthPhoto.encode(
      TestPhoto.image(), depth: TestPhoto.depth(height: 30, width: 40), as: .dynamicDepth)
    var padded = file
    let depth = try #require(file.firstRange(of: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A]))
    padded.insert(contentsOf: [1, 2, 3, 4, 5], at: depth.lowerBound)
    // The first item is the photo.
    let padding = try #require(file.firstRange(of: Array("Item:Padding=\"0\"".utf8)))
    padded[padding.upperBound - 2] = UInt8(ascii: "5")
    #expect(
      try DepthPhoto.depth(decoding: padded, name: "padded.jpg")
        == DepthPhoto.depth(decoding: file, name: "photo.jpg"))
  }

  @Test("absent depth and damaged packets are errors with a reason")
  func absentOrDamagedDepthIsAnError() throws {
    let plain = try TestPhoto.image().encoded(as: .jpeg())
    #expect(throws: DepthError.noEmbeddedDepth(file: "a.png")) {
      try DepthPhoto.depth(
        decoding: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], name: "a.png")
    }
    #expect(throws: DepthError.noEmbeddedDepth(file: "a.jpg")) {
      try DepthPhoto.depth(decoding: plain, name: "a.jpg")
    }
    #expect(throws: DepthError.noUnit(for: "a depth photo")) {
      try DepthPhoto.encode(
        TestPhoto.image(), depth: TestPhoto.depth().normalized(), as: .gDepth)
    }
    let name = "xmlns:G='http://ns.google.com/photos/1.0/depthmap/'"
    for (xmp, part) in [
      ("<a><b></a>", "<b> is closed by </a>"), ("<a b=c>", "quotes"), ("<a", "ends inside a tag"),
      ("nothing", "holds no element"), ("<a \(name) G:Data='AAAA'/>", "format is missing"),
      ("<a \(name) G:Data='!' G:Format='RangeInverse'/>", "not base64"),
      ("<a \(name) G:Data='AAAA' G:Format='RangeInverse' G:Near='3' G:Far='2'/>", "near and far"),
      (
        "<a xmlns:n='http://ns.adobe.com/xmp/note/' n:HasExtendedXMP='"
          + String(repeating: "0", count: 32) + "'/>", "extended packet is incomplete"
      ),
      (String(repeating: "<a>", count: 100), "nested too deeply"),
    ] {
      let file = try jpeg(withXMP: xmp)
      let error = #expect(throws: (any Error).self) {
        try DepthPhoto.depth(decoding: file, name: "a.jpg")
      }
      let text = error.map { String(describing: $0) } ?? ""
      #expect(text.contains(part) && text.hasPrefix("a.jpg: damaged"), "\(text)")
    }
  }

  @Test("a truncated depth photo is an error", arguments: DepthPhoto.Format.allCases)
  func everyTruncationIsAnErrorAndNeverATrap(_ format: DepthPhoto.Format) throws {
    let depth = TestPhoto.depth(height: 6, width: 8)
    let photo = TestPhoto.image(height: 16, width: 16)
    let file = try DepthPhoto.encode(photo, depth: depth, as: format)
    // GDepth precedes the pixels, so it is complete even without the end marker.
    let end = format == .gDepth ? file.count - 2 : file.count
    for length in stride(from: 0, to: end, by: 7) {
      #expect(throws: DepthError.self) {
        try DepthPhoto.depth(decoding: Array(file[..<length]), name: "a.jpg")
      }
    }
    if format == .gDepth {
      #expect(
        try DepthPhoto.depth(decoding: Array(file[..<end]), name: "a.jpg")
          == DepthPhoto.depth(decoding: file, name: "a.jpg"))
    }
  }

  /// A plain JPEG with a packet after the first two bytes.
  private func jpeg(withXMP xmp: String) throws -> [UInt8] {
    let plain = try TestPhoto.image().encoded(as: .jpeg())
    let body = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(xmp.utf8)
    let length = body.count + 2
    return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + body
      + plain.dropFirst(2)
  }

  private func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
