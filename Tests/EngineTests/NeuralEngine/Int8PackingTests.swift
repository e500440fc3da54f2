import CDepthSIMD
import Testing

@testable import NeuralEngine

/// The order in which kernels of quantized values read weights.
@Suite struct CodePackingTests {
  /// Numbers of channels, taps and columns, and the panel's width in columns.
  static let shapes: [(channels: Int, taps: Int, columns: Int, width: Int)] = [
    (1, 1, 1, 4), (4, 1, 8, 8), (19, 1, 7, 16), (64, 1, 32, 32), (130, 1, 30, 32), (3, 49, 5, 16),
    (4, 9, 32, 32), (5, 9, 6, 8), (70, 9, 31, 32), (6, 4, 3, 4), (9, 6, 16, 16), (2, 16, 2, 4),
    (7, 25, 9, 16),
  ]

  @Test("packing puts each weight and column sum in place", arguments: shapes)
  func everyWeightIsInItsPlace(channels: Int, taps: Int, columns: Int, width: Int) {
    let quantized = QuantizedConvolutionTests.values("packing", columns * channels * taps)
      .map { Int8(bitPattern: $0) }
    let (packed, sums) = Self.packed(quantized, channels, taps, columns, width)
    let quads = (channels + 3) / 4
    var expected = [Int8](repeating: 0, count: taps * quads * width * 4)
    for column in 0..<columns {
      for channel in 0..<channels {
        for tap in 0..<taps {
          expected[((tap * quads + channel / 4) * width + column) * 4 + channel % 4] =
            quantized[(column * channels + channel) * taps + tap]
        }
      }
    }
    #expect(packed == expected)
    for column in 0..<columns {
      let own = quantized[column * channels * taps..<(column + 1) * channels * taps]
      #expect(Int(sums[column]) == own.reduce(0) { $0 + Int($1) })
    }
  }

  @Test("sums of the largest weights do not overflow", arguments: [Int8.min, Int8.max])
  func sumsOfTheLargestWeightsDoNotOverflow(value: Int8) {
    let (_, sums) = Self.packed([Int8](repeating: value, count: 2 * 9 * 1000), 1000, 9, 2, 4)
    #expect(sums == [Int32(value) * 9000, Int32(value) * 9000])
  }

  private static func packed(
    _ quantized: [Int8], _ channels: Int, _ taps: Int, _ columns: Int, _ width: Int
  ) -> (packed: [Int8], sums: [Int32]) {
    // A byte that packing does not write keeps the value 99.
    var packed = [Int8](repeating: 99, count: taps * ((channels + 3) / 4) * width * 4)
    var sums = [Int32](repeating: 99, count: columns)
    unsafe quantized.withUnsafeBufferPointer { quantized in
      unsafe packed.withUnsafeMutableBufferPointer { packed in
        unsafe sums.withUnsafeMutableBufferPointer { sums in
          let panel = unsafe ck_int8_panel(
            quantized: quantized.baseAddress!, columns: columns, channels: channels, taps: taps,
            width: width,
            packed: packed.baseAddress!, sums: sums.baseAddress!)
          unsafe withUnsafePointer(to: panel) { unsafe ck_pack_int8($0) }
        }
      }
    }
    return (packed, sums)
  }
}
