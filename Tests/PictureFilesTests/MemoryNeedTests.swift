import DepthErrors
import Foundation
import Testing
import _TestSupport

@testable import AtomicFiles
@testable import DepthImages
@testable import PictureFiles
@testable import ProcessLimits

/// Estimates of memory against what was measured.
@Suite(.offPool) struct MemoryNeedTests {
  /// A PNG header of that size and as much data as makes it plausible.
  static func photo(_ width: Int, _ height: Int) throws -> PhotoFile {
    var header: [UInt8] = []
    header.append(bigEndian: UInt32(width))
    header.append(bigEndian: UInt32(height))
    let bytes =
      PNGChunks.signature + PNGChunks.chunk("IHDR", header + [8, 2, 0, 0, 0])
      + PNGChunks.chunk("IDAT", [UInt8](repeating: 0, count: width * height * 3 / 1032 + 1))
      + PNGChunks.chunk("IEND", [])
    return try PhotoFile(decoding: bytes, name: "photo.png")
  }

  /// Peak resident size of `depth export` of photos of 12 megapixels, in MB: a room as estimated, and a depth file of
  /// waves with noise.
  @Test(arguments: [
    (true, false, false, 310), (true, false, true, 975), (true, true, false, 592),
    (false, false, false, 841), (false, false, true, 954),
  ])
  func estimatesOfGeometryAreAboveThePeakAndBelowTwiceIt(
    isSmooth: Bool, isCloud: Bool, keepsAll: Bool, peak: Int
  ) throws {
    let need = MemoryNeed.geometry(
      of: try Self.photo(4000, 3000), networkBytes: isSmooth ? 26_000_000 : 0, isCloud: isCloud,
      keepsAllPixels: keepsAll, isSmooth: isSmooth)
    #expect((peak * 1_000_000..<2 * peak * 1_000_000).contains(need.bytes), "\(need.bytes)")
  }

  /// The same for `depth export -o page.html`: 224 MB.
  @Test func estimatesOfPagesAreAboveThePeakAndBelowTwiceIt() throws {
    let need = MemoryNeed.page(of: try Self.photo(4000, 3000), networkBytes: 26_000_000)
    #expect((224_000_000..<448_000_000).contains(need.bytes), "\(need.bytes)")
  }

  /// Peak resident size beyond that of a photo of one pixel, in MB: `/usr/bin/time -f %M depth predict
  /// PHOTO -o FILE …` with the compact network's 24 MB of activations, on photos with noise.
  @Test(arguments: [
    (4000, 3000, 1, false, 121), (8000, 6000, 1, false, 464), (8000, 6000, 0, true, 729),
    (8000, 6000, 1, true, 1137), (16_320, 12_240, 1, false, 1864), (16_320, 12_240, 1, true, 4603),
  ])
  func estimatesOfMapsAreAboveThePeakAndBelowTwiceIt(
    width: Int, height: Int, refined: Int, hasView: Bool, peak: Int
  ) throws {
    let (rows, columns) = refined == 1 ? (height, width) : (128, 160)
    let need = MemoryNeed.map(
      of: try Self.photo(width, height), networkBytes: 24_000_000,
      output: .init(source: 128 * 160, height: rows, width: columns, hasView: hasView))
    #expect((peak * 1_000_000..<2 * peak * 1_000_000).contains(need.bytes - 48_000_000))
  }

  @Test func numbersAreNamedInOneSentence() throws {
    let need = MemoryNeed(bytes: 3_100_000_000)
    try need.require(for: "a.png", budget: MemoryBudget(bytes: 3_100_000_000))
    let error = #expect(throws: DepthError.self) {
      try need.require(for: "a.png", budget: MemoryBudget(bytes: 1_440_000_000))
    }
    #expect(
      try #require(error).description
        == "a.png: needs about 3.1 GB of memory, 1.4 GB are available")
    #expect(MemoryNeed.text(0) == "0.0 MB")
    #expect(MemoryNeed.text(640_400_000) == "640 MB")
    #expect(MemoryNeed.text(999_900_000) == "1.0 GB")
    #expect(MemoryNeed.text(45_949_000_000) == "45.9 GB")
  }

  /// Sizes that overflow nothing and fit nowhere.
  @Test func absurdSizesAreNumbersToo() throws {
    let need = MemoryNeed.map(
      of: try Self.photo(10, 10), networkBytes: 0,
      output: .init(source: 1, height: 1 << 40, width: 1 << 40))
    #expect(need.bytes == 1_000_000_000_000_000_000)
  }

  @Test func moreScansNeedMoreMemory() throws {
    let pixels = [UInt8](repeating: 90, count: 64 * 64 * 3)
    func need(progressive: Bool) throws -> Double {
      try PhotoFile(
        decoding: JPEGEncoder.compress(
          pixels, height: 64, width: 64, chroma: .full, quality: 90, progressive: progressive),
        name: "a.jpg"
      ).decodingBytesPerPixel
    }
    #expect(try need(progressive: false) == 3)
    // Three components of 16 bits.
    #expect(try need(progressive: true) == 9)
  }

  @Test func maximumPixelsAreTheCallersToSet() throws {
    let photo = Image(height: 10, width: 20, pixels: [UInt8](repeating: 7, count: 600))
    for format in [ImageFileFormat.png, .jpeg()] {
      let bytes = try photo.encoded(as: format)
      _ = try Image(decoding: bytes, name: "a", limits: ImageLimits(maximumPixels: 200))
      #expect(throws: DepthError.tooLarge(file: "a", width: 20, height: 10, limit: 199)) {
        try Image(decoding: bytes, name: "a", limits: ImageLimits(maximumPixels: 199))
      }
    }
    let map = DepthMap(
      height: 2, width: 3, unit: .metres, values: [Float](repeating: 1, count: 6))
    for format in [DepthFileFormat.png, .pfm, .npy] {
      let bytes = try map.encoded(as: format)
      #expect(throws: DepthError.tooLarge(file: "a", width: 3, height: 2, limit: 5)) {
        try DepthMap(decoding: bytes, name: "a", limits: ImageLimits(maximumPixels: 5))
      }
    }
  }
}

/// JPEGs whose decoder would go over the picture again and again.
@Suite(.offPool) struct JPEGScansTests {
  /// A progressive file whose last scan comes some hundred times more.
  @Test(arguments: [(0, true), (150, true), (300, false), (20_000, false)])
  func scansAreCounted(copies: Int, isRead: Bool) throws {
    let bytes = try JPEGEncoder.compress(
      [UInt8](repeating: 90, count: 32 * 32 * 3), height: 32, width: 32, chroma: .full,
      quality: 90, progressive: true)
    let marker = try #require(
      bytes.indices.dropLast().last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
    let scan = bytes[marker..<bytes.count - 2]
    let bomb =
      Array(bytes.dropLast(2)) + (0..<copies).flatMap { _ in scan } + Array(bytes.suffix(2))
    let scans = try JPEGScans.count(bytes, after: #require(bytes.firstScan)) + copies
    guard isRead else {
      let error = #expect(throws: DepthError.self) {
        try PhotoFile(decoding: bomb, name: "a")
      }
      #expect(
        try #require(error).description
          == "a: damaged JPEG: has \(scans) scans, expected at most 200")
      return
    }
    _ = try PhotoFile(decoding: bomb, name: "a")
    #expect((2...20).contains(scans - copies))
  }
}

extension [UInt8] {
  /// Where the first scan's header begins.
  fileprivate var firstScan: Int? {
    indices.dropLast().first { self[$0] == 0xFF && self[$0 + 1] == 0xDA }.map { $0 + 2 }
  }
}
