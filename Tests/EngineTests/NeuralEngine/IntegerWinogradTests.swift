import CDepthSIMD
import DepthBase
import Testing
import _TestSupport

@testable import NeuralEngine

/// Winograd's algorithm on integers. ``QuantizedConvolutionTests`` tests whole convolutions.
@Suite struct IntegerWinogradTests {
  static let sets = Int8InstructionSet.tested.filter {
    unsafe $0.kernels.pointee.winograd != nil
  }

  /// The layers of FCRN-18 and Lite2, and a layer that is too small.
  @Test(
    "only layers that become faster use integer Winograd", arguments: Int8InstructionSet.tested,
    [
      (64, 80, 64, true), (16, 20, 256, true), (8, 10, 512, true), (2, 3, 512, false),
      (128, 160, 16, false), (16, 20, 2048, false),
    ])
  func isUsedWhereItPays(
    set: Int8InstructionSet, layer: (height: Int, width: Int, channels: Int, pays: Bool)
  ) {
    let shape = Tensor.Shape(height: layer.height, width: layer.width, channels: layer.channels)
    func uses(kernel: Int, stride: Int = 1, _ channels: Int) -> Bool {
      var packing = DeferredPacking()
      return QuantizedConvolution(
        ConvolutionGeometry(
          kernelHeight: kernel, kernelWidth: kernel, stride: stride, inputChannels: channels,
          outputChannels: 16), kernels: { _ in ([], []) }, bias: .init(repeating: 0, count: 16),
        activation: .none, maps: .init(input: QuantizedConvolutionTests.input, output: nil),
        instructionSet: set, packing: &packing
      ).usesWinograd(for: shape)
    }
    #expect(uses(kernel: 3, layer.channels) == (layer.pays && Self.sets.contains(set)))
    #expect(!uses(kernel: 3, stride: 2, layer.channels) && !uses(kernel: 1, layer.channels))
  }

  @Test(
    "the kernel's Winograd transform equals the definition in integers",
    arguments: sets, [(1, 1, 4), (5, 9, 32), (7, 6, 44), (4, 11, 100)])
  func transformedValuesEqualIntegers(
    set: Int8InstructionSet, map size: (height: Int, width: Int, channels: Int)
  ) throws {
    let (height, width, channels) = size
    let rows = 4 * ((height + 3) / 4) + 2
    let columns = 4 * ((width + 3) / 4) + 2
    let (across, tiles) = ((columns - 2) / 4, (rows - 2) / 4 * ((columns - 2) / 4))
    let quantized = QuantizedConvolutionTests.values("map", (height + 2) * (width + 2) * channels)
    var transformed = [Int16](repeating: 0, count: 36 * tiles * channels)
    let transform = try #require(unsafe set.kernels.pointee.winograd_input)
    // Bytes that the kernel does not read.
    let unused = AlignedBuffer(count: 16)
    let other = UnsafeMutableRawPointer(unused.base)
    let epilogue = ck_int8_epilogue(
      multiplier: unused.base, offset: unused.base, lower_bound: unused.base, residual: nil,
      residual_pixel_stride: 0, residual_line_stride: 0, residual_scale: 0,
      added: nil, added_pixel_stride: 0, added_line_stride: 0, upper_bound: 0,
      quantization_factor: 0, quantization_offset: 0, lower_is_zero: false)
    quantized.withUnsafeBufferPointer { quantized in
      transformed.withUnsafeMutableBufferPointer { transformed in
        let call = ck_int8_convolution(
          lines: height, pixels: width, columns: 0, segments: 0, quads: channels / 4,
          x: quantized.baseAddress! + (width + 3) * channels, x_pixel_stride: channels,
          x_line_stride: (width + 2) * channels,
          offsets: other.assumingMemoryBound(to: Int.self),
          weights: other.assumingMemoryBound(to: Int8.self),
          initial: other.assumingMemoryBound(to: Int32.self), y: other, y_pixel_stride: 0,
          y_line_stride: 0, writes_floats: false, epilogue: epilogue, tokens: ck_token_epilogue())
        var arguments = ck_int8_winograd(
          call: call, kernel_height: 3, kernel_width: 3, first_row: 0, first_column: 0, first: 0,
          last: tiles, transformed: transformed.baseAddress!, position_stride: tiles * channels,
          weights: other.assumingMemoryBound(to: Int16.self))
        transform(&arguments)
      }
    }
    withExtendedLifetime(unused) {}
    let lanes = Int(set.kernels.pointee.panel_width) / 2
    for tile in 0..<tiles {
      for channel in 0..<channels {
        let expected = ReferenceIntegerWinograd.transformed(
          quantized: (0..<36).map { place in
            // Pixels outside the map repeat the border.
            let row = min(tile / across * 4 + place / 6, height + 1)
            let column = min(tile % across * 4 + place % 6, width + 1)
            return Int(quantized[(row * (width + 2) + column) * channels + channel])
          })
        let (quad, value) = channel.quotientAndRemainder(dividingBy: 4)
        let group = quad / lanes * lanes
        let size = min(lanes, channels / 4 - group)
        let place = 4 * group + value % 2 * 2 * size + 2 * (quad - group) + value / 2
        let found = (0..<36).map {
          Int(transformed[($0 * tiles + tile) * channels + place])
        }
        #expect(found == expected, "tile \(tile), channel \(channel)")
      }
    }
  }

  @Test("integer Winograd equals direct sums and fits into 16 bits")
  func definitionIsThatOfTheConvolution() {
    for extreme in [false, true] {
      let quantized =
        extreme
        ? [Int](repeating: 255, count: 36)
        : QuantizedConvolutionTests.values("tile", 36).map(Int.init)
      let weights =
        extreme
        ? [Int](repeating: -128, count: 9) : QuantizedConvolutionTests.weights("k", 9).map(Int.init)
      let x = ReferenceIntegerWinograd.transformed(quantized: quantized)
      let w = ReferenceIntegerWinograd.transformed(weights: weights)
      #expect((x + w).allSatisfy { Int16(exactly: $0) != nil })
      let results = ReferenceIntegerWinograd.results(sums: zip(x, w).map { $0 * $1 })
      for place in 0..<16 {
        let sum = (0..<9).reduce(0) {
          $0 + weights[$1] * quantized[(place / 4 + $1 / 3) * 6 + place % 4 + $1 % 3]
        }
        #expect(results[place] == sum)
      }
    }
    // No quantized values or weights exceed these largest magnitudes.
    #expect(
      largest(ReferenceIntegerWinograd.transformed(quantized:), 36, 0...255) <= Int(Int16.max))
    #expect(
      largest(ReferenceIntegerWinograd.transformed(weights:), 9, -128...127) <= Int(Int16.max))
  }

  /// The largest magnitude in a linear transform of values in `range`.
  private func largest(
    _ transform: ([Int]) -> [Int], _ count: Int, _ range: ClosedRange<Int>
  ) -> Int {
    let columns = (0..<count).map { one in transform((0..<count).map { $0 == one ? 1 : 0 }) }
    return (0..<36).map { position in
      let factors = columns.map { $0[position] }
      let most = factors.reduce(0) { $0 + max($1 * range.upperBound, $1 * range.lowerBound) }
      let least = factors.reduce(0) { $0 + min($1 * range.upperBound, $1 * range.lowerBound) }
      return max(most, -least)
    }.max() ?? 0
  }
}
