import DepthErrors
import DepthPhotos
import Foundation
import Testing
import _TestSupport

@testable import DepthImages
@testable import PictureFiles

@Suite(.enabled(if: HEIFFixture.isAvailable, "libheif or heif-enc is not installed"))
struct HEIFPhotoTests {
  @Test("a HEIC portrait is read as photo and depth") func readsThePhotoAndItsDepth() throws {
    let bytes = try HEIFFixture.portrait()
    let image = try Image(decoding: bytes, name: "portrait.heic")
    #expect(image.width == 64 && image.height == 48)
    let depth = try DepthPhoto.depth(decoding: bytes, name: "portrait.heic")
    #expect(depth.width == 64 && depth.height == 48)
    #expect(depth.unit == .normalized(near: .white))
    let worst = depth.values.enumerated().map { (index: Int, value: Float) -> Float in
      abs(value * 255 - Float(HEIFFixture.number(index)))
    }.max()
    #expect((worst ?? 255) <= 4)
    #expect(abs(Int(image.pixels[(10 * 64 + 20) * 3]) - 60) < 12)
  }

  /// The test replaces the box of bit depths by an `irot` box, which turns the picture.
  @Test("an irot box turns a HEIC or AVIF picture once", arguments: ["a.heic", "a.avif"])
  func boxesTurnThePicture(name: String) throws {
    let photo = TestPhoto.image(height: 64, width: 128)
    let jpeg = try ExifFixture(focalLength: 28)
      .inserted(into: photo.encoded(as: .jpeg(quality: 100, chroma: .full)))
    var bytes = try HEIFFixture.encoded(jpeg, from: "in.jpg", to: name)
    let depths = try #require(bytes.firstRange(of: Array("pixi".utf8)))
    bytes.replaceSubrange(depths, with: "irot".utf8)
    bytes[depths.upperBound] = 1
    let file = try PhotoFile(decoding: bytes, name: name)
    let image = try file.image()
    #expect((image.height, image.width) == (128, 64) && file.uprightSize == (128, 64))
    let wanted = Orientation.left.upright(
      photo.pixels, channels: 3, height: 64, width: 128
    ).samples
    let difference = zip(image.pixels, wanted).map { abs(Int($0) - Int($1)) }.reduce(0, +)
    #expect(difference < 4 * image.pixels.count)
    #expect(image.metadata.focalLengthIn35mmFilm == 28)
    #expect(throws: DepthError.noDepthPicture(file: "a")) {
      try DepthPhoto.depth(decoding: bytes, name: "a")
    }
  }

  @Test("transparent HEIC is drawn over white") func transparencyIsDrawnOverWhite() throws {
    let bytes = try HEIFFixture.portrait(isTransparent: true)
    let image = try Image(decoding: bytes, name: "a")
    for (y, x) in [(10, 20), (40, 60), (2, 3)] {
      let opacity = Int(HEIFFixture.number(y * 64 + x))
      let wanted = (x * 3 * opacity + 127) / 255 + 255 - opacity
      #expect(abs(Int(image.pixels[(y * 64 + x) * 3]) - wanted) < 12)
    }
  }

  /// A photo without a depth picture is then decoded only once.
  @Test("boxes distinguish depth from alpha") func theBoxesTellWhetherThereIsDepth() throws {
    #expect(try PhotoFile(decoding: HEIFFixture.portrait(), name: "a").mentionsDepth)
    #expect(
      try !PhotoFile(decoding: HEIFFixture.portrait(isTransparent: true), name: "a").mentionsDepth)
  }

  @Test("depth refine uses the depth inside a HEIC photo")
  func theDepthInsideAHEICPhotoIsRefined() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(HEIFFixture.portrait(), to: "p.heic")
    let outcome = try CommandLineTool("depth").run([
      "refine", folder.path("p.heic"), "embedded", "-o", folder.path("r.png"),
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let map = try DepthMap(contentsOf: URL(filePath: folder.path("r.png")), unit: nil)
    #expect((map.height, map.width) == (48, 64))
    // The picture's depth and the refined map both increase to the right.
    #expect(map.values[24 * 64 + 60] > map.values[24 * 64 + 3] + 0.2)
  }

  @Test(
    "stereo and effect find HEIC portraits in a folder",
    arguments: [["stereo"], ["effect", "haze", "--strength", "0.5"]])
  func foldersOfSuchPhotosAreFound(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("p"), withIntermediateDirectories: false)
    _ = try folder.write(HEIFFixture.portrait(), to: "p/p.heic")
    let outcome = try CommandLineTool("depth").run(
      arguments + ["p", "--output-dir", "made"],
      environment: ["DEPTH_WEIGHTS": "/nonexistent/weights.h5"], in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let made = try FileManager.default.contentsOfDirectory(atPath: folder.path("made"))
    #expect(!made.isEmpty && made.allSatisfy { $0.hasSuffix(".jpg") })
  }

  @Test("limits of pixels and bytes apply to HEIC photos") func limitsReachSuchPhotos() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(HEIFFixture.portrait(), to: "p.heic")
    let outcome = try CommandLineTool("depth").run(
      ["refine", "p.heic", "embedded", "-o", "r.png", "--max-pixels", "3000"], in: folder.path)
    #expect(outcome.status == 1 && outcome.errorLines.count == 1)
    #expect(
      outcome.errors.hasPrefix("depth: p.heic: is 64×48 pixels, expected at most 3000"),
      "\(outcome.errors)")
    let error = #expect(throws: DepthError.self) {
      try Image(
        decoding: HEIFFixture.portrait(), name: "p", limits: ImageLimits(maximumBytes: 64 * 48 * 15)
      )
    }
    #expect(error?.code == .insufficientMemory)
  }

  @Test("an irot box may precede the box of the size", arguments: ["a.heic", "a.avif"])
  func turnsMayComeFirst(name: String) throws {
    let photo = TestPhoto.image(height: 64, width: 128)
    var bytes = try HEIFFixture.encoded(photo.encoded(as: .png), from: "in.png", to: name)
    // The boxes for bit depths and size become boxes for turns and size, in this order.
    let depths = try #require(bytes.firstRange(of: Array("pixi".utf8)))
    bytes.replaceSubrange(depths, with: "irot".utf8)
    bytes[depths.upperBound] = 1
    let boxes = ISOBoxes(bytes)
    let meta = try #require(boxes.first("meta", in: 0..<bytes.count)).dropFirst(4)
    let properties = try #require(boxes.first("iprp", in: meta))
    let list = Array(boxes.all(in: try #require(boxes.first("ipco", in: properties))))
    let names = try #require(boxes.first("ipma", in: properties))
    func place(_ type: StaticString) throws -> Int {
      let number = try #require(list.firstIndex { boxes.isOf(type, $0) }) + 1
      // One item: version, number of items, the item's number, and the number of properties.
      return try #require(names.dropFirst(11).first { Int(bytes[$0] & 0x7F) == number })
    }
    let (size, turn) = (try place("ispe"), try place("irot"))
    bytes.swapAt(size, turn)
    let image = try PhotoFile(decoding: bytes, name: name).image()
    #expect((image.height, image.width) == (128, 64))
    let wanted = Orientation.left.upright(photo.pixels, channels: 3, height: 64, width: 128).samples
    let difference = zip(image.pixels, wanted).map { abs(Int($0) - Int($1)) }.reduce(0, +)
    #expect(difference < 4 * image.pixels.count)
  }

  @Test("the depth picture of a cropped HEIC photo stays whole")
  func depthMayBeLargerThanThePhoto() throws {
    let bytes = try HEIFFixture.portrait()
    let cropped = try HEIFFixture.adding(
      HEIFFixture.box(
        "clap", [32, 1, 24, 1, 0, 1, 0, 1].flatMap { [0, 0, 0, $0] as [UInt8] }), to: bytes)
    let file = try PhotoFile(decoding: cropped, name: "a")
    #expect((file.width, file.height) == (32, 24))
    #expect(try file.image().width == 32)
    #expect(
      try DepthPhoto.depth(decoding: cropped, name: "a")
        == DepthPhoto.depth(decoding: bytes, name: "a"))
    let error = #expect(throws: DepthError.self) {
      try DepthPhoto.depth(
        decoding: cropped, name: "a", limits: ImageLimits(maximumPixels: 64 * 48 - 1))
    }
    #expect(error?.code == .tooLarge || error?.code == .damaged)
  }

  /// In photos of iOS 18 and later, auxiliary pictures and metadata refer to two pictures.
  @Test("an auxiliary picture that refers to two pictures is read")
  func referencesToTwoPicturesAreRead() throws {
    let bytes = try HEIFFixture.portrait()
    let boxes = ISOBoxes(bytes)
    let meta = try #require(boxes.first("meta", in: 0..<bytes.count)).dropFirst(4)
    let list = try #require(boxes.first("iref", in: meta))
    let references = try #require(boxes.references(in: list)).references
    let auxiliary = try #require(references.first { $0.type == "auxl" })
    let (source, target) = (UInt8(auxiliary.source), UInt8(auxiliary.targets[0]))
    var doubled = HEIFFixture.reference("cdsc", from: source, to: [target, source])
    for reference in references {
      let targets = reference.targets.map { UInt8($0) }
      doubled += HEIFFixture.reference(
        reference.type, from: UInt8(reference.source),
        to: reference == auxiliary ? [source, target] : targets)
    }
    let file = HEIFFixture.changed(bytes) { type, content in
      type == "iref" ? [0, 0, 0, 0] + doubled : content
    }
    #expect(
      try Image(decoding: file, name: "a").pixels == Image(decoding: bytes, name: "a").pixels)
    #expect(
      try DepthPhoto.depth(decoding: file, name: "a")
        == DepthPhoto.depth(decoding: bytes, name: "a"))
    // A truncated reference is damage.
    for share in [0.5, 0.9] {
      let error = #expect(throws: DepthError.self) {
        try Image(decoding: Array(file.prefix(Int(share * Double(file.count)))), name: "a")
      }
      #expect(error?.code == .damaged)
    }
  }

  @Test("a HEIC picture whose size differs from its boxes is damaged")
  func otherSizesAreDamaged() throws {
    var bytes = try HEIFFixture.portrait()
    let size = Array("ispe".utf8) + [0, 0, 0, 0, 0, 0, 0, 64]
    for at in bytes.indices.dropLast(size.count)
    where bytes[at..<at + size.count].elementsEqual(size) { bytes[at + 11] = 60 }
    let error = #expect(throws: DepthError.self) { try Image(decoding: bytes, name: "p") }
    #expect(error?.code == .damaged)
  }

  @Test("a truncated HEIC file is an error") func truncatedFilesAreErrors() throws {
    let file = try HEIFFixture.portrait()
    for length in stride(from: 0, to: file.count - 1, by: max(1, file.count / 40)) {
      #expect(throws: DepthError.self) {
        try Image(decoding: Array(file[..<length]), name: "portrait.heic")
      }
    }
  }
}
