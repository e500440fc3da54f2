import DepthErrors
import Foundation
import Testing

@testable import DepthBase
@testable import DepthImages
@testable import PictureFiles

/// Estimates of the memory that work needs.
@Suite struct MemoryNeedTests {
  @Test("missing memory is stated in MB or GB") func numbersAreNamedInOneSentence() throws {
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

  /// Other processes may free memory later, but never more than the machine has.
  @Test("a need above the machine's memory is not temporary")
  func onlyMemoryThatOthersHoldMayComeBack() throws {
    let largest = MemoryBudget.largest.bytes
    try #require(largest < .max - 1 && largest > 2)
    for (needed, isTemporary) in [(2, true), (largest, true), (largest + 1, false)] {
      let error = #expect(throws: DepthError.self) {
        try MemoryNeed(bytes: needed).require(for: "a.png", budget: MemoryBudget(bytes: 1))
      }
      #expect(error?.isTemporary == isTemporary, "\(needed)")
    }
  }

  @Test("a need adds pixels, network, map and decoding")
  func needsGrowWithPixelsNetworkAndMap() {
    let work = MemoryNeed.Work(bytesPerPixel: 10)
    #expect(MemoryNeed(work, pixels: 1_000_000).bytes == 34_000_000)
    #expect(MemoryNeed(work, pixels: 1_000_000, networkBytes: 5_000_000).bytes == 39_000_000)
    // The joint filter works on 16 times the map's pixels, but at most on the result's pixels.
    #expect(MemoryNeed(work, pixels: 1_000_000, mapPixels: 1000).bytes == 35_072_000)
    #expect(MemoryNeed(work, pixels: 1_000_000, mapPixels: 1_000_000).bytes == 101_000_000)
    #expect(MemoryNeed(work, pixels: 1_000_000, decodingBytesPerPixel: 21).bytes == 45_000_000)
    // The sum does not overflow, and exceeds any memory.
    #expect(MemoryNeed(work, pixels: .max, mapPixels: .max).bytes == 1_000_000_000_000_000_000)
  }

  @Test("progressive JPEG takes 9 bytes a pixel, not 3") func moreScansNeedMoreMemory() throws {
    let pixels = [UInt8](repeating: 90, count: 64 * 64 * 3)
    func need(progressive: Bool) throws -> Double {
      try PhotoFile(
        decoding: JPEGEncoder.compress(
          pixels, height: 64, width: 64, chroma: .full, quality: 90, progressive: progressive),
        name: "a.jpg"
      ).decodingBytesPerPixel
    }
    #expect(try need(progressive: false) == 3)
    // Three components have 16 bits each, in addition to the result.
    #expect(try need(progressive: true) == 9)
  }

  /// All seven passes of 16 bits are unpacked before the first pass is decoded.
  @Test("decoding an interlaced 16-bit PNG takes 21 bytes a pixel")
  func interlaced16BitsNeedMoreMemory() throws {
    func need(bitDepth: UInt8, isInterlaced: Bool) throws -> Double {
      try PhotoFile(
        decoding: PNGFixture(
          width: 2, height: 1, bitDepth: bitDepth, rows: [UInt8](repeating: 0, count: 12),
          isInterlaced: isInterlaced
        ).bytes, name: "a.png"
      ).decodingBytesPerPixel
    }
    #expect(try need(bitDepth: 16, isInterlaced: true) == 3 + 3 * 6)
    #expect(try need(bitDepth: 16, isInterlaced: false) == 3)
    #expect(try need(bitDepth: 8, isInterlaced: true) == 3)
  }

  @Test("the caller's pixel limit applies to photos and depth files")
  func maximumPixelsAreTheCallersToSet() throws {
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

/// JPEGs whose decoder would process the picture many times.
@Suite struct JPEGScansTests {
  /// A progressive file with several hundred copies of the last scan.
  @Test(
    "a JPEG of more than 200 scans is refused",
    arguments: [(0, true), (150, true), (300, false), (20_000, false)])
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
  /// The index of the first scan's header.
  fileprivate var firstScan: Int? {
    indices.dropLast().first { self[$0] == 0xFF && self[$0 + 1] == 0xDA }.map { $0 + 2 }
  }
}
