import DepthBase
import PictureFiles

#if HEIF
  import Foundation
  import DepthErrors
  import HEIFPhotos
  import PictureFiles
  import DepthImages
  import Testing
  import _TestSupport

  /// Files come from libheif's own `heif-enc`: an alpha picture is a depth picture by another name.
  @Suite struct HEIFPhotoTests {
    static let hasEncoder = (try? run("heif-enc", ["--help"])) != nil

    @discardableResult
    static func run(_ program: String, _ arguments: [String]) throws -> Int32 {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [program] + arguments
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      if process.terminationStatus == 127 { throw CocoaError(.fileNoSuchFile) }
      return process.terminationStatus
    }

    /// Depth number of a pixel of the fixture.
    static func number(_ index: Int) -> UInt8 { UInt8(40 + index % 64 * 2 + index / 64) }

    /// A photo of 64×48 pixels with a depth picture.
    static func fixture() throws -> [UInt8] {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("heif-\(UInt64.random(in: 0 ... .max))")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      // A PNG with alpha, from the parts that every PNG has.
      var rows: [UInt8] = []
      for y in 0..<48 {
        rows.append(0)
        for x in 0..<64 { rows += [UInt8(x * 3), UInt8(y * 4), 90, number(y * 64 + x)] }
      }
      let header: [UInt8] = [0, 0, 0, 64, 0, 0, 0, 48, 8, 6, 0, 0, 0]
      let png =
        PNGParts.signature + PNGParts.chunk("IHDR", header)
        + PNGParts.chunk("IDAT", stored(rows)) + PNGParts.chunk("IEND", [])
      let input = folder.appendingPathComponent("in.png")
      let output = folder.appendingPathComponent("out.heic")
      try Data(png).write(to: input)
      try #require(try run("heif-enc", ["-q", "100", "-o", output.path, input.path]) == 0)
      var bytes = [UInt8](try Data(contentsOf: output))
      for (alpha, depth) in [
        ("urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:hevc:2015:auxid:2"),
        ("cicp:systems:auxiliary:alpha", "cicp:systems:auxiliary:depth"),
      ] {
        let wanted = Array(alpha.utf8)
        for at in 0..<bytes.count - wanted.count
        where bytes[at..<at + wanted.count].elementsEqual(wanted) {
          bytes.replaceSubrange(at..<at + wanted.count, with: depth.utf8)
        }
      }
      return bytes
    }

    /// Deflate without compression.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
      var a: UInt32 = 1
      var b: UInt32 = 0
      for byte in bytes {
        a = (a + UInt32(byte)) % 65521
        b = (b + a) % 65521
      }
      let count = UInt16(bytes.count)
      let sum = b << 16 | a
      return [
        0x78, 1, 1, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8),
      ] + bytes + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
    }

    @Test(.enabled(if: hasEncoder, "heif-enc is not installed"))
    func readsThePhotoAndItsDepth() throws {
      let photo = try HEIFPhoto(decoding: Self.fixture(), name: "portrait.heic")
      #expect(photo.image.width == 64 && photo.image.height == 48)
      let depth = try #require(photo.depth)
      #expect(depth.width == 64 && depth.height == 48)
      #expect(depth.unit == .normalized(near: .white))
      let worst = depth.values.indices.map {
        abs(depth.values[$0] * 255 - Float(Self.number($0)))
      }.max()
      #expect((worst ?? 255) <= 4)
      #expect(abs(Int(photo.image.pixels[(10 * 64 + 20) * 3]) - 60) < 12)
    }

    @Test(.enabled(if: hasEncoder, "heif-enc is not installed"))
    func theDepthInsideAHEICPhotoIsRefined() throws {
      let folder = try TemporaryFolder()
      try Data(Self.fixture()).write(to: URL(filePath: folder.path("p.heic")))
      let outcome = try CommandLineTool("depth").run([
        "refine", folder.path("p.heic"), "embedded", "-o", folder.path("r.png"),
      ])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let map = try DepthMap(contentsOf: URL(filePath: folder.path("r.png")), unit: nil)
      #expect((map.height, map.width) == (48, 64))
      // The picture's depth climbs to the right, and so does the refined map.
      #expect(map.values[24 * 64 + 60] > map.values[24 * 64 + 3] + 0.2)
    }

    /// Commands that take the depth inside a photo also find such photos in a folder.
    @Test(
      .enabled(if: hasEncoder, "heif-enc is not installed"),
      arguments: [["stereo"], ["effect", "blur"], ["effect", "haze"]])
    func foldersOfSuchPhotosAreFound(arguments: [String]) throws {
      let folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.path("p"), withIntermediateDirectories: false)
      try Data(Self.fixture()).write(to: URL(filePath: folder.path("p/p.heic")))
      let outcome = try CommandLineTool("depth").run(
        arguments + ["p", "--depth", "embedded", "--output-dir", "made"], in: folder.path)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path("made")).isEmpty == false)
    }

    @Test(.enabled(if: hasEncoder, "heif-enc is not installed"))
    func limitsReachSuchPhotos() throws {
      let folder = try TemporaryFolder()
      try Data(Self.fixture()).write(to: URL(filePath: folder.path("p.heic")))
      let outcome = try CommandLineTool("depth").run(
        ["refine", "p.heic", "embedded", "-o", "r.png", "--max-pixels", "3000"], in: folder.path)
      #expect(outcome.status == 1 && outcome.errorLines.count == 1)
      #expect(
        outcome.errors.hasPrefix("depth: p.heic: is 64×48 pixels, expected at most 3000"),
        "\(outcome.errors)")
    }

    @Test(.enabled(if: hasEncoder, "heif-enc is not installed"))
    func truncatedFilesAreErrors() throws {
      let file = try Self.fixture()
      for length in stride(from: 0, to: file.count - 1, by: max(1, file.count / 40)) {
        #expect(throws: DepthError.self) {
          try HEIFPhoto(decoding: Array(file[..<length]), name: "portrait.heic")
        }
      }
    }
  }
#endif
