import DepthImages
import Foundation
import MonocularDepth
import Testing
import _TestSupport

@testable import DepthBase
@testable import PictureFiles

/// The reserved memory of a photo, compared with the program's peak.
@Suite struct MemoryForecastTests {
  private static let (height, width) = (3000, 4000)

  /// Six kinds of photo with equal content, in twenty equal strips.
  private static func photos(in folder: TemporaryFolder) throws -> [String] {
    let strip = MadeUpPictures.photo(height: height / 20, width: width)
    func repeated(_ part: [UInt8]) -> [UInt8] {
      (0..<20).reduce(into: []) { all, _ in all += part }
    }
    let pixels = repeated(strip.pixels)
    func jpeg(_ chroma: ChromaSubsampling = .quarter, progressive: Bool = false) throws -> [UInt8] {
      try JPEGEncoder.compress(
        pixels, height: height, width: width, chroma: chroma, quality: 90, progressive: progressive)
    }
    func png(_ type: UInt8, _ depth: UInt8, _ pixel: (Int) -> [UInt8]) throws -> [UInt8] {
      var header: [UInt8] = []
      for side in [width, height] { header += (0..<4).map { UInt8(side >> (24 - 8 * $0) & 255) } }
      var rows: [UInt8] = []
      for y in 0..<strip.height {
        rows.append(0)
        for index in y * width..<(y + 1) * width { rows += pixel(index) }
      }
      return PNGChunks.signature + PNGChunks.chunk("IHDR", header + [depth, type, 0, 0, 0])
        + PNGChunks.chunk("IDAT", try Deflate.compressed(repeated(rows)))
        + PNGChunks.chunk("IEND", [])
    }
    func color(_ index: Int) -> ArraySlice<UInt8> { strip.pixels[3 * index..<3 * index + 3] }
    let gray = repeated((0..<strip.height * width).map { strip.pixels[3 * $0] })
    // Exif with one entry, orientation 6.
    let exif: [UInt8] =
      Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
      + [0, 0, 0, 0]
    let segment = [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
    let files: [(String, [UInt8])] = [
      ("baseline.jpg", try jpeg()),
      ("gray.png", try PNGParts.gray8(gray, height: height, width: width, threads: 2)),
      ("rgba.png", try png(6, 8) { color($0) + [200] }),
      ("16-bit.png", try png(2, 16) { color($0).flatMap { [$0, 7] } }),
      ("turned.jpg", JPEGEncoder.inserting(segment, into: try jpeg())),
      ("progressive.jpg", try jpeg(.full, progressive: true)),
    ]
    return try files.map { try folder.write($1, to: $0) }
  }

  /// Peak resident size of a run. The system reports a child's peak as at least the parent's peak,
  /// so a small program starts the run.
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
    "forecasts of memory are 1 to 1.6 times the peak",
    .enabled(
      if: SlowTests.areWanted && FileManager.default.isExecutableFile(atPath: python[0]),
      "Scripts/checks/test-slow.sh runs it where Python is installed"))
  func forecastsAreNearThePeak() throws {
    let folder = try TemporaryFolder()
    let photos = try Self.photos(in: folder)
    let (pixels, depth) = (Self.height * Self.width, folder.path("d.png"))
    for threads in [1, 2] {
      func check(_ need: MemoryNeed, _ words: [String]) throws {
        let peak = try Self.peak(words + ["--threads", "\(threads)"], in: folder)
        let ratio = Double(need.bytes) / Double(peak)
        #expect(
          (1.0...1.6).contains(ratio),
          "\(words) with \(threads) threads: \(need.bytes) for \(peak) bytes")
      }
      let estimator = try DepthEstimator(threads: threads)
      let map = estimator.outputSize(height: Self.height, width: Self.width)
      func estimated(_ work: MemoryNeed.Work) -> MemoryNeed {
        MemoryNeed(
          work, pixels: pixels, mapPixels: map.height * map.width,
          networkBytes: estimator.networkBytes)
      }
      // The kinds differ in decoding, which matters most if little is computed.
      for photo in photos {
        try check(estimated(.map), ["predict", photo, "-o", depth])
      }
      // Every command runs with the kind of photo that needs most memory.
      let (turned, photo, mesh) = (photos[4], photos[5], folder.path("m.glb"))
      let blur = ["--focus", "0.75", "-o", folder.path("e.jpg")]
      let stereo = ["-o", folder.path("s.jpg")]
      let cloud = ["-o", folder.path("c.ply"), "--kind", "cloud"]
      try check(
        estimated(.mapWithPicture),
        ["predict", turned, "-o", folder.path("t.png"), "--view", folder.path("v.png")])
      try check(
        estimated(.mapWithNormals),
        ["predict", turned, "-o", folder.path("t.npy"), "--normals", folder.path("n.npy")])
      try check(estimated(.effect), ["effect", "blur", turned] + blur)
      try check(estimated(.stereo), ["stereo", turned] + stereo)
      try check(estimated(.cloud), ["export", turned] + cloud)
      try check(estimated(.mesh), ["export", photo, "-o", mesh])
      try check(estimated(.denseMesh), ["export", photo, "-o", mesh, "--simplify", "0"])
      try check(estimated(.page), ["export", photo, "-o", folder.path("p.html")])
      // A map of the photo's size, like a depth camera's.
      try check(
        MemoryNeed(.effect, pixels: pixels), ["effect", "blur", photo] + blur + ["--depth", depth])
      try check(
        MemoryNeed(.stereo, pixels: pixels), ["stereo", photo] + stereo + ["--depth", depth])
      try check(
        MemoryNeed(.map, pixels: pixels, mapPixels: pixels),
        ["refine", photo, depth, "-o", folder.path("r.png"), "--stretch"])
    }
  }
}
