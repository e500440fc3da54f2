import DepthBase
import Testing
import _TestSupport

@testable import NeuralEngine

/// Quantized depthwise convolutions equal 64-bit integer sums on all instruction sets.
@Suite struct QuantizedDepthwiseTests {
  struct Options: Sendable {
    var zeroPoint: UInt8 = 0
    var activation = Activation.none
    var writesFloats = false
    /// Whether all quantized values are 255 and all weights ±127.
    var isExtreme = false
    /// Border beyond the kernel's padding, in pixels.
    var extraBorder = 0

    static let all = [
      Options(), Options(zeroPoint: 128, activation: .relu6),
      Options(activation: .relu6, writesFloats: true), Options(activation: .relu, extraBorder: 1),
      Options(zeroPoint: 128, writesFloats: true, isExtreme: true),
      Options(zeroPoint: 3, isExtreme: true, extraBorder: 2),
    ]
  }

  static func run(
    _ test: DepthwiseCase, _ options: Options, on set: Int8InstructionSet, threads: Int
  ) throws -> (result: QuantizedConvolutionTests.Result, expected: QuantizedConvolutionTests.Result)
  {
    let geometry = DepthwiseGeometry(
      kernelSize: test.kernel, stride: test.stride, channels: test.channels)
    let shape = Tensor.Shape(
      count: test.count, height: test.height, width: test.width, channels: test.channels)
    let output = geometry.outputShape(for: shape)
    let taps = geometry.taps
    let x: [UInt8] =
      options.isExtreme
      ? .init(repeating: 255, count: shape.elementCount)
      : QuantizedConvolutionTests.values("x", shape.elementCount)
    let kernel: [Int8] =
      options.isExtreme
      ? (0..<test.channels * taps).map { $0 / taps % 2 == 0 ? 127 : -127 }
      : QuantizedConvolutionTests.weights("w", test.channels * taps)
    let bias = noise("bias", test.channels)
    let scales = noise("scales", test.channels).map { 0.004 + abs(Double($0)) * 0.001 }
    let read = MapQuantization(scale: 0.0371, zeroPoint: options.zeroPoint)
    let isSigned = options.activation == .none
    let written =
      options.writesFloats ? nil : MapQuantization(scale: 0.041, zeroPoint: isSigned ? 128 : 0)

    return try ThreadTeam.run(threads: threads) { team in
      var packing = DeferredPacking()
      let convolution = QuantizedDepthwiseConvolution(
        geometry,
        kernels: {
          (Array(kernel[$0.lowerBound * taps..<$0.upperBound * taps]), Array(scales[$0]))
        }, bias: bias, activation: options.activation,
        maps: .init(
          input: read,
          output: written.map { [MapQuantization](repeating: $0, count: test.channels) }),
        instructionSet: set, packing: &packing)
      try packing.run(on: team)
      let map = QuantizedMap(
        shape: shape, offset: 0, border: geometry.padding + options.extraBorder)
      let result = QuantizedMap(shape: output, offset: map.extent, border: 2)
      let floats = FeatureMap(shape: output, offset: result.offset + result.extent)
      let workspace = Workspace(capacity: floats.offset + floats.extent)
      // A kernel that reads the former contents of the result would return NaN.
      workspace.base.update(repeating: .nan, count: workspace.capacity)
      workspace.write(x, to: map)
      workspace.fillBorder(
        of: map, with: [UInt8](repeating: options.zeroPoint, count: test.channels))
      convolution.run(
        .quantized(map), into: options.writesFloats ? .floats(floats) : .quantized(result),
        in: workspace, on: team)
      var expected = QuantizedConvolutionTests.Result()
      let bound: Float? =
        options.activation == .relu6
        ? written.map { 6 / $0.scale + Float($0.zeroPoint) } ?? 6 : nil
      for image in 0..<test.count {
        let reference = ReferenceQuantizedConvolution.Map(
          height: shape.height, width: shape.width, channels: test.channels,
          quantized: Array(
            x[image * shape.area * test.channels..<(image + 1) * shape.area * test.channels]),
          zeroPoint: Int(options.zeroPoint))
        for place in 0..<output.area * test.channels {
          let (pixel, c) = place.quotientAndRemainder(dividingBy: test.channels)
          let sum = ReferenceDepthwise.sum(
            reference, kernel: kernel, channel: c, y: pixel / output.width,
            x: pixel % output.width, size: test.kernel, stride: test.stride)
          let scale = written.map { Double($0.scale) } ?? 1
          let zero = written.map { Double($0.zeroPoint) } ?? 0
          var value = ReferenceQuantizedConvolution.value(
            sum: sum, multiplier: Float(Double(read.scale) * scales[c] / scale),
            offset: Float(Double(bias[c]) / scale + zero), residual: nil)
          if options.activation != .none { value = max(value, Float(zero)) }
          value = min(value, bound ?? .infinity)
          if options.writesFloats {
            expected.floats.append(value)
          } else {
            expected.quantized.append(ReferenceQuantizedConvolution.quantized(value, lowerBound: 0))
          }
        }
      }
      return (
        options.writesFloats
          ? .init(floats: workspace.tensor(at: floats).elements)
          : .init(quantized: workspace.values(at: result)), expected
      )
    }
  }

  @Test(
    "a quantized depthwise convolution equals 64-bit integer sums",
    arguments: Int8InstructionSet.tested, DepthwiseCase.all)
  func equalsIntegers(set: Int8InstructionSet, test: DepthwiseCase) throws {
    for (index, options) in Options.all.enumerated() {
      for threads in 1...3 where index == 0 || threads == 1 + index % 3 {
        let (result, expected) = try Self.run(test, options, on: set, threads: threads)
        #expect(result == expected, "\(options), \(threads) threads")
      }
    }
  }

  /// The bound 6 lies between two quantized values, below the largest value.
  @Test("this suite's results reach both bounds of ReLU6") func casesReachTheUpperBound() throws {
    let test = DepthwiseCase(kernel: 5, height: 9, width: 21, channels: 48)
    let quantized = try Self.run(test, Options.all[1], on: .baseline, threads: 1).result.quantized
    #expect(quantized.max() == 146 && quantized.min() == 0)
    let floats = try Self.run(test, Options.all[2], on: .baseline, threads: 1).result.floats
    #expect(floats.max() == 6 && floats.min() == 0)
  }

  @Test("depthwise sizes without a kernel are not quantized") func otherKernelsComputeFloats() {
    for (size, stride) in [(1, 1), (7, 1), (3, 3), (5, 4)] {
      #expect(
        !QuantizedDepthwiseConvolution.canCompute(
          .init(kernelSize: size, stride: stride, channels: 4)))
    }
  }
}
