import DepthImages
import Foundation
import MonocularDepth
import Testing
import _TestSupport

@testable import DepthBase
@testable import PictureFiles

/// The memory that a photo is admitted with, against the peak of the program that makes something of it.
@Suite(.offPool) struct MemoryForecastTests {
  /// Six kinds of photo of the same content.
  private static func photos(
    height: Int, width: Int, in folder: TemporaryFolder
  ) throws -> [String] {
    let photo = MadeUpPictures.photo(height: height, width: width)
    func jpeg(_ chroma: ChromaSubsampling = .quarter, progressive: Bool = false) throws -> [UInt8] {
      try JPEGEncoder.compress(
        photo.pixels, height: height, width: width, chroma: chroma, quality: 90,
        progressive: progressive)
    }
    func png(_ type: UInt8, _ depth: UInt8, _ pixel: (Int) -> [UInt8]) throws -> [UInt8] {
      var header: [UInt8] = []
      for side in [width, height] { header += (0..<4).map { UInt8(side >> (24 - 8 * $0) & 255) } }
      var rows: [UInt8] = []
      for y in 0..<height {
        rows.append(0)
        for index in y * width..<(y + 1) * width { rows += pixel(index) }
      }
      return PNGParts.signature + PNGParts.chunk("IHDR", header + [depth, type, 0, 0, 0])
        + PNGParts.chunk("IDAT", try Deflate.compressed(rows)) + PNGParts.chunk("IEND", [])
    }
    func color(_ index: Int) -> ArraySlice<UInt8> { photo.pixels[3 * index..<3 * index + 3] }
    // Exif with one entry, orientation 6.
    let exif: [UInt8] =
      Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
      + [0, 0, 0, 0]
    let segment = [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
    let files: [(String, [UInt8])] = [
      ("baseline.jpg", try jpeg()), ("progressive.jpg", try jpeg(.full, progressive: true)),
      (
        "gray.png",
        try PNGParts.gray8(
          (0..<height * width).map { photo.pixels[3 * $0] }, height: height, width: width,
          threads: 2)
      ),
      ("rgba.png", try png(6, 8) { color($0) + [200] }),
      ("16-bit.png", try png(2, 16) { color($0).flatMap { [$0, 7] } }),
      ("turned.jpg", JPEGEncoder.inserting(segment, into: try jpeg())),
    ]
    return try files.map { try folder.write($1, to: $0) }
  }

  /// Peak resident size of a run. A small program starts it: the peak that the system reports for a child is not below
  /// that of its parent.
  private static let python = ["/usr/bin/python3", "-c"]
  private static func peak(_ arguments: [String], in folder: TemporaryFolder) throws -> Int {
    let script = """
      import resource, subprocess, sys
      status = subprocess.call(sys.argv[2:])
      open(sys.argv[1], "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
      sys.exit(status)
      """
    let file = folder.path("peak.txt")
    let outcome = try depthTool.run(
      arguments + ["--quiet", "--overwrite"], wrapper: python + [script, file])
    try #require(outcome.status == 0, "\(arguments): \(outcome.errors)")
    let text = String(decoding: try TemporaryFolder.bytes(of: file), as: UTF8.self)
    return try #require(Int(text)) * 1024
  }

  @Test(
    .enabled(
      if: SlowTests.areWanted && FileManager.default.isExecutableFile(atPath: python[0]),
      "Scripts/test-slow.sh runs it where Python is installed"), arguments: [1, 2])
  func forecastsAreNearThePeak(threads: Int) throws {
    let folder = try TemporaryFolder()
    let estimator = try DepthEstimator(threads: threads)
    let commands: [(words: [String], work: MemoryNeed.Work)] = [
      (["predict", "-o", folder.path("d.png")], .map),
      (["predict", "-o", folder.path("d.png"), "--view", folder.path("v.png")], .mapWithPicture),
      (["effect", "blur", "--focus", "0.75", "-o", folder.path("e.jpg")], .effect),
      (["stereo", "-o", folder.path("s.jpg")], .stereo),
      (["export", "-o", folder.path("m.glb")], .mesh),
      (["export", "-o", folder.path("m.glb"), "--simplify", "0"], .denseMesh),
      (["export", "-o", folder.path("c.ply"), "--kind", "cloud"], .cloud),
      (["export", "-o", folder.path("p.html")], .page),
    ]
    let (height, width) = (3000, 4000)
    let map = estimator.outputSize(height: height, width: width)
    for photo in try Self.photos(height: height, width: width, in: folder) {
      for (words, work) in commands {
        let need = MemoryNeed(
          work, pixels: height * width, mapPixels: map.height * map.width,
          networkBytes: estimator.networkBytes)
        let peak = try Self.peak(words + [photo, "--threads", "\(threads)"], in: folder)
        let ratio = Double(need.bytes) / Double(peak)
        #expect(
          (1.0...1.6).contains(ratio), "\(words) of \(photo): \(need.bytes) for \(peak) bytes")
      }
      // A map of the photo's size, as a camera with depth gives it.
      let depth = folder.path("d.png")
      for (words, work) in [
        (["effect", "blur", "--focus", "0.75", "-o", folder.path("e.jpg")], .effect),
        (["stereo", "-o", folder.path("s.jpg")], MemoryNeed.Work.stereo),
      ] where !photo.hasSuffix("turned.jpg") {
        let need = MemoryNeed(work, pixels: height * width)
        let peak = try Self.peak(
          words + [photo, "--depth", depth, "--threads", "\(threads)"], in: folder)
        let ratio = Double(need.bytes) / Double(peak)
        #expect((1.0...1.6).contains(ratio), "\(words): \(need.bytes) for \(peak) bytes")
      }
      let peak = try Self.peak(
        ["refine", photo, depth, "-o", folder.path("r.png"), "--stretch"]
          + ["--threads", "\(threads)"], in: folder)
      let need = MemoryNeed(.map, pixels: height * width, mapPixels: height * width)
      let ratio = Double(need.bytes) / Double(peak)
      #expect((1.0...1.6).contains(ratio), "refine of \(photo): \(need.bytes) for \(peak) bytes")
    }
  }
}
