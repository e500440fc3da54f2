import DepthErrors
import DepthImages
import Foundation
import Testing
import _TestSupport

@testable import PictureFiles

/// OpenEXR files, read back by the description of their layout.
@Suite struct EXRTests {
  /// What a reader finds in a file of scan lines with ZIP compression.
  private struct Found {
    var attributes: [String: (type: String, value: [UInt8])] = [:]
    var values: [Float] = []

    init(_ file: [UInt8], height: Int, width: Int) throws {
      func integer(_ place: Int, bytes: Int = 4) -> Int {
        (0..<bytes).reversed().reduce(0) { $0 << 8 | Int(file[place + $1]) }
      }
      #expect(file.prefix(8) == [0x76, 0x2F, 0x31, 0x01, 2, 0, 0, 0])
      var place = 8
      func word() throws -> String {
        let end = try #require(file[place...].firstIndex(of: 0))
        defer { place = end + 1 }
        return String(decoding: file[place..<end], as: UTF8.self)
      }
      while file[place] != 0 {
        let (name, type) = (try word(), try word())
        let size = integer(place)
        attributes[name] = (type, Array(file[place + 4..<place + 4 + size]))
        place += 4 + size
      }
      place += 1
      var end = place + 8 * ((height + 15) / 16)
      for first in stride(from: 0, to: height, by: 16) {
        #expect(integer(place, bytes: 8) == end && integer(end) == first)
        let (size, count) = (integer(end + 4), 4 * min(16, height - first) * width)
        // Readers take what is longer than plain rows for these.
        #expect(size <= count)
        let chunk = file[end + 8..<end + 8 + size]
        values += Self.floats(try size == count ? Array(chunk) : Self.unpacked(chunk, count))
        (place, end) = (place + 8, end + 8 + size)
      }
      #expect(end == file.count)
    }

    private static func unpacked(_ chunk: ArraySlice<UInt8>, _ count: Int) throws -> [UInt8] {
      var bytes = try #require(Deflate.decompressed(chunk, limit: count))
      for index in bytes.indices.dropFirst() { bytes[index] &+= bytes[index - 1] &- 128 }
      let half = (count + 1) / 2
      return (0..<count).map { bytes[$0 / 2 + $0 % 2 * half] }
    }

    private static func floats(_ bytes: [UInt8]) -> [Float] {
      stride(from: 0, to: bytes.count, by: 4).map { place in
        Float(bitPattern: (0..<4).reversed().reduce(0) { $0 << 8 | UInt32(bytes[place + $1]) })
      }
    }
  }

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

  @Test(arguments: [(1, 1), (1, 9), (9, 1), (16, 3), (17, 3), (70, 96)])
  func everyBitComesBack(height: Int, width: Int) throws {
    let map = DepthMap(
      height: height, width: width, unit: .metres,
      values: Array(Self.map.values.prefix(height * width)))
    let file = try map.encoded(as: .exr)
    let found = try Found(file, height: height, width: width)
    let expected = map.values.map { map.hasValue($0) ? $0 : .nan }
    #expect(found.values.map(\.bitPattern) == expected.map(\.bitPattern))
    if height == 70 { #expect(file.count < 4 * height * width / 4) }
  }

  @Test func theFileSaysWhatItHolds() throws {
    let fields = DepthFileMetadata(software: "depth 0", weightsIdentifier: "ab+mirrored")
    let file = try Self.map.encoded(as: .exr, metadata: fields)
    let found = try Found(file, height: 70, width: 96).attributes
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

  @Test func relativeDisparityHasAChannelOfItsOwn() throws {
    let map = DepthMap(height: 1, width: 2, unit: .relativeDisparity, values: [1, 2])
    let found = try Found(map.encoded(as: .exr), height: 1, width: 2).attributes
    #expect(found["channels"]?.value.starts(with: Array("disparity".utf8) + [0]) == true)
  }

  @Test func onlyMetresAndRelativeDisparityAreWritten() throws {
    for map in [Self.map.normalized(), try Self.map.inDisparity()] {
      let error = #expect(throws: DepthError.self) { try map.encoded(as: .exr) }
      #expect(error?.message.contains("would be read as metres, expected .png") == true)
    }
  }

  @Test func readingSaysThatItIsWrittenOnly() throws {
    let file = try Self.map.encoded(as: .exr)
    let error = #expect(throws: DepthError.self) { try DepthMap(decoding: file, name: "d.exr") }
    #expect(error?.code == .unsupportedFormat)
    #expect(error?.message.contains("an OpenEXR picture, which is written only") == true)
  }

  /// Bits without any order become longer by compression: every reader would show noise of another kind.
  @Test func whatDoesNotCompressIsPlain() throws {
    let stream = CounterStream("EXR")
    let bits = (0..<40 * 50).map { stream[2 * $0] << 16 ^ stream[2 * $0 + 1] }
    let map = DepthMap(
      height: 40, width: 50, unit: .relativeDisparity,
      values: bits.map { Float(bitPattern: $0) })
    let found = try Found(map.encoded(as: .exr), height: 40, width: 50)
    #expect(found.values.map(\.bitPattern) == map.values.map(\.bitPattern))
  }
}
