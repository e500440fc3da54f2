import DepthErrors
import DepthImages
import Foundation
import Testing
import _TestSupport

@testable import PictureFiles

/// OpenEXR files, read back by a reader of the documented layout.
@Suite struct EXRTests {
  /// 96 × 70 metres that compress, with every kind of "no value".
  private static let map = DepthMap(
    height: 70, width: 96, unit: .metres,
    values: (0..<70 * 96).map { index in
      switch index % 97 {
      case 3: 0
      case 5: .nan
      case 7: .infinity
      case 9: -1
      default: 2 + Float(index / 96) / 32 + (index % 96 > 40 ? 1.5 : 0)
      }
    })

  @Test(
    "OpenEXR keeps every bit of depth",
    arguments: [(1, 1), (1, 9), (9, 1), (16, 3), (17, 3), (70, 96)])
  func everyBitComesBack(height: Int, width: Int) throws {
    let map = DepthMap(
      height: height, width: width, unit: .metres,
      values: Array(Self.map.values.prefix(height * width)))
    let file = try map.encoded(as: .exr)
    let found = try EXRContent(file, height: height, width: width)
    let expected = map.values.map { map.hasValue($0) ? $0 : .nan }
    #expect(found.values.map(\.bitPattern) == expected.map(\.bitPattern))
    if height == 70 { #expect(file.count < 4 * height * width / 4) }
  }

  @Test("OpenEXR records unit, software, weights and nearest depth")
  func theFileSaysWhatItHolds() throws {
    let fields = DepthFileMetadata(software: "depth 0", weightsIdentifier: "ab+mirrored")
    let file = try Self.map.encoded(as: .exr, metadata: fields)
    let found = try EXRContent(file, height: 70, width: 96).attributes
    func text(_ name: String) -> String? {
      found[name].flatMap { $0.type == "string" ? String(decoding: $0.value, as: UTF8.self) : nil }
    }
    #expect(text("depth:unit") == "metre" && text("Software") == "depth 0")
    #expect(text("depth:weights-sha256") == "ab+mirrored" && text("depth:near") == "2.0")
    #expect(text("comments")?.contains("metres") == true)
    #expect(found["channels"]?.value.prefix(2) == [0x5A, 0])  // Z
    #expect(found["dataWindow"]?.value == [0, 0, 0, 0, 0, 0, 0, 0, 95, 0, 0, 0, 69, 0, 0, 0])
    for name in [
      "compression", "displayWindow", "lineOrder", "pixelAspectRatio", "screenWindowCenter",
      "screenWindowWidth",
    ] { #expect(found[name] != nil, "\(name)") }
  }

  @Test("OpenEXR stores relative disparity in a channel named disparity")
  func relativeDisparityHasAChannelOfItsOwn() throws {
    let map = DepthMap(height: 1, width: 2, unit: .relativeDisparity, values: [1, 2])
    let found = try EXRContent(map.encoded(as: .exr), height: 1, width: 2).attributes
    #expect(found["channels"]?.value.starts(with: Array("disparity".utf8) + [0]) == true)
  }

  @Test("OpenEXR refuses disparity and normalized values")
  func onlyMetresAndRelativeDisparityAreWritten() throws {
    for map in [Self.map.normalized(), try Self.map.inDisparity()] {
      let error = #expect(throws: DepthError.self) { try map.encoded(as: .exr) }
      #expect(error?.message.contains("would be read as metres, expected .png") == true)
    }
  }

  @Test("reading OpenEXR fails as unsupported")
  func readingOpenEXRIsRefused() throws {
    let file = try Self.map.encoded(as: .exr)
    let error = #expect(throws: DepthError.self) { try DepthMap(decoding: file, name: "d.exr") }
    #expect(error?.code == .unsupportedFormat)
    #expect(error?.message.contains("an OpenEXR picture, which is written only") == true)
  }

  /// Compression lengthens random bits, and readers would misread the longer block.
  @Test("OpenEXR stores noise uncompressed") func incompressibleBitsAreStored() throws {
    let stream = CounterStream("EXR")
    let bits = (0..<40 * 50).map { stream[2 * $0] << 16 ^ stream[2 * $0 + 1] }
    let map = DepthMap(
      height: 40, width: 50, unit: .relativeDisparity,
      values: bits.map { Float(bitPattern: $0) })
    let found = try EXRContent(map.encoded(as: .exr), height: 40, width: 50)
    #expect(found.values.map(\.bitPattern) == map.values.map(\.bitPattern))
  }
}
