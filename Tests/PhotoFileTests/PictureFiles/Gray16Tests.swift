import CDepthZlib
import DepthErrors
import Testing
import _TestSupport

@testable import DepthBase
@testable import DepthImages
@testable import PictureFiles

/// The 16-bit gray PNG code equals zlib and the formulas.
@Suite struct Gray16Tests {
  /// Bytes for which zlib uses stored blocks, fixed codes, long codes, near and far matches.
  static func contents(_ name: String, _ count: Int) -> [UInt8] {
    let stream = CounterStream("inflate/\(name)")
    return (0..<count).map { i in
      switch name {
      case "noise": UInt8(truncatingIfNeeded: stream[i])
      case "runs": UInt8(truncatingIfNeeded: stream[i / 97] % 5)
      case "period 3": UInt8(i % 3)
      case "period 13": UInt8(truncatingIfNeeded: stream[i % 13])
      case "far": UInt8(truncatingIfNeeded: stream[i % 30_000])
      // Rare bytes get codes of up to 15 bits.
      default: UInt8(truncatingIfNeeded: stream[i].trailingZeroBitCount * 7)
      }
    }
  }

  @Test(
    "inflate restores data that zlib deflated",
    arguments: ["noise", "runs", "period 3", "period 13", "far", "skewed"],
    [0, 1, 2, 17, 300, 4096, 4097, 70_000, 300_001])
  func inflatesWhatZlibDeflates(name: String, count: Int) throws {
    let bytes = Self.contents(name, count)
    let stream = try Deflate.compressed(bytes)
    #expect(Deflate.decompressed(stream[...], count: count) == bytes)
    #expect(Deflate.decompressed(stream[...], count: count + 1) == nil)
    if count > 0 { #expect(Deflate.decompressed(stream[...], count: count - 1) == nil) }
  }

  @Test(
    "inflate rejects damaged streams like zlib",
    arguments: ["noise", "runs", "skewed"])
  func everyDamageIsNoticed(name: String) throws {
    let bytes = Self.contents(name, 700)
    let stream = try Deflate.compressed(bytes)
    for length in 0..<stream.count {
      #expect(Deflate.decompressed(stream.prefix(length), count: 700) == nil)
    }
    for place in stream.indices {
      for bit in 0..<8 {
        var damaged = stream
        damaged[place] ^= 1 << UInt8(bit)
        // zlib accepts a change outside the data, or a change with a correct checksum.
        var (expected, size) = ([UInt8](repeating: 0, count: 700), uLong(700))
        let isWhole = uncompress(&expected, &size, damaged, uLong(damaged.count)) == Z_OK
        #expect(
          Deflate.decompressed(damaged[...], count: 700)
            == (isWhole && size == 700 ? expected : nil))
      }
    }
  }

  @Test("inflate rejects noise after a valid header") func noiseNeitherCrashesNorPasses() {
    let stream = CounterStream("inflate/hostile")
    for trial in 0..<3000 {
      // A valid header precedes noise.
      let bytes =
        [0x78, 0x9C] + (0..<200).map { UInt8(truncatingIfNeeded: stream[trial * 200 + $0]) }
      #expect(Deflate.decompressed(bytes[...], count: 5000) == nil)
    }
  }

  /// A changed bit of a checksum is an error.
  @Test(
    "16-bit samples of a depth PNG are read back",
    arguments: [(1, 1), (1, 9), (9, 1), (37, 41), (130, 67)])
  func samplesComeBack(size: (height: Int, width: Int)) throws {
    let noise = CounterStream("gray16")
    let map = DepthMap(
      height: size.height, width: size.width, unit: .metres,
      values: (0..<size.height * size.width).map {
        Float($0 % size.width) / 10 + Float(noise[$0] % 50 + 1) / 1000
      })
    let bytes = try map.encoded(as: .png)
    let again = try DepthMap(decoding: bytes, name: "map.png")
    #expect(zip(again.values, map.values).allSatisfy { abs($0 - $1) < 1e-5 })
    let data = try #require(try PNGChunks(bytes, file: "").chunks.first { $0.type == "IDAT" }).data
    var damaged = bytes
    damaged[data.upperBound] ^= 1
    #expect(throws: DepthError.self) { try DepthMap(decoding: damaged, name: "map.png") }
  }

  /// Values include halves, ends of the range, values beyond the ends, and missing values.
  @Test(
    "16-bit samples are the nearest integers",
    arguments: InstructionSet.supported, [1, 7, 8, 15, 33, 64, 131])
  func samplesAreTheNearestIntegers(isa: InstructionSet, count: Int) {
    let stream = CounterStream("samples16")
    let special: [Float] = [
      .nan, .infinity, -.infinity, 0, -0.0, -1, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
      0.0005, 0.0015, 0.0025, 65.5345, 65.535, 65.5355, 70, -.greatestFiniteMagnitude,
    ]
    let values = (0..<count).map { i in
      i % 3 == 0
        ? special[Int(stream[i] % UInt32(special.count))] : Float(stream[i] % 70_000) / 1000.5 - 1
    }
    for unit in [DepthMap.Unit.metres, .disparity, .normalized(near: .black)] {
      let map = DepthMap(height: 1, width: count, unit: unit, values: values)
      for scale in [
        SampleScale.millimetres, SampleScale(low: -0.7, high: 13.1), SampleScale(low: 2, high: 2),
      ] {
        let expected = values.flatMap { value -> [UInt8] in
          guard map.hasValue(value) else { return [0, 0] }
          let sample =
            scale.scale > 0 ? ((Double(value) - scale.offset) / scale.scale).rounded() : 1
          let bounded = UInt16(min(65_535, max(1, sample)))
          return [UInt8(bounded >> 8), UInt8(bounded & 255)]
        }
        #expect(map.bigEndianSamples(scale, rows: 0..<1, isa: isa) == expected)
        let column = DepthMap(height: count, width: 1, unit: unit, values: values)
        let parts = [0..<count / 3, count / 3..<count].map {
          column.bigEndianSamples(scale, rows: $0, isa: isa)
        }
        #expect(parts[0] + parts[1] == expected)
      }
    }
  }
}
