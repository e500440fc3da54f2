import DepthBase
import Testing
import _TestSupport

@testable import NeuralEngine

@Suite struct QuantizedConvolutionTests {
  static func values(_ name: String, _ count: Int) -> [UInt8] {
    let stream = CounterStream(name)
    return (0..<count).map { UInt8(truncatingIfNeeded: stream[$0] >> 3) }
  }

  static func weights(_ name: String, _ count: Int) -> [Int8] {
    values(name, count).map { max(Int8(bitPattern: $0), -127) }
  }

  static let input = MapQuantization(scale: 0.0371, zeroPoint: 0)

  /// The result of one run: quantized values or floats.
  struct Result: Equatable {
    var quantized: [UInt8] = []
    var floats: [Float] = []
  }

  /// One convolution, computed by the engine and by 64-bit integers.
  static func run(
    _ test: QuantizedCase, on set: Int8InstructionSet, threads: Int, inPlace: Bool = false,
    activation: Activation = .none, readsRows: Bool = false
  ) throws -> (result: Result, expected: Result) {
    let (geometry, shape) = (test.geometry, test.shape)
    let output = geometry.outputShape(for: shape)
    let extra = test.isSlice ? 3 : 0
    var wide = shape
    wide.channels += extra
    let perChannel = test.input * geometry.taps
    let x: [UInt8] =
      test.isExtreme
      ? .init(repeating: 255, count: wide.elementCount) : values("x", wide.elementCount)
    let kernel: [Int8] =
      test.isExtreme
      ? (0..<test.output * perChannel).map { $0 < perChannel ? 127 : -127 }
      : weights("w", test.output * perChannel)
    let bias = noise("bias", test.output)
    let scales = noise("scales", test.output).map { Double($0) * 0.01 }
    let residual = values("r", test.hasResidual ? output.elementCount : 0)
    let read = MapQuantization(scale: 0.0371, zeroPoint: test.zeroPoint)
    let written = test.writesFloats ? nil : MapQuantization(scale: 0.73, zeroPoint: 128)
    let added = test.hasResidual ? MapQuantization(scale: 0.051, zeroPoint: 128) : nil

    let maps = MapQuantizations(
      input: read, output: written.map { [MapQuantization](repeating: $0, count: test.output) },
      residual: added, readsRows: readsRows)

    return try ThreadTeam.run(threads: threads) { team in
      var packing = DeferredPacking()
      let convolution = QuantizedConvolution(
        geometry,
        kernels: { range in
          (
            Array(kernel[range.lowerBound * perChannel..<range.upperBound * perChannel]),
            Array(scales[range])
          )
        }, bias: bias, activation: activation,
        maps: maps, instructionSet: set, packing: &packing)
      try packing.run(on: team)
      let border = geometry.largestPadding
      let whole = QuantizedMap(shape: wide, offset: 0, border: border)
      let sum = QuantizedMap(shape: output, offset: whole.extent)
      let result = QuantizedMap(shape: output, offset: sum.offset + (inPlace ? 0 : sum.extent))
      let floats = FeatureMap(shape: output, offset: result.offset + result.extent)
      let scratch = Workspace.aligned(floats.offset + floats.extent)
      let workspace = Workspace(
        capacity: scratch + convolution.scratchCount(for: shape, threads: threads))
      workspace.write(x, to: whole)
      workspace.fillBorder(
        of: whole, with: [UInt8](repeating: test.zeroPoint, count: wide.channels))
      if test.hasResidual { workspace.write(residual, to: sum) }
      convolution.run(
        .quantized(test.isSlice ? whole.channels(1..<1 + test.input) : whole),
        adding: test.hasResidual ? sum : nil,
        into: test.writesFloats ? .floats(floats) : .quantized(result), scratch: scratch,
        in: workspace, on: team)

      var expected = Result()
      let first = convolution.kernels[0]
      for image in 0..<test.count {
        let pixels = image * shape.area..<(image + 1) * shape.area
        let map = ReferenceQuantizedConvolution.Map(
          height: shape.height, width: shape.width, channels: test.input,
          quantized: pixels.flatMap { pixel in
            (0..<test.input).map { x[pixel * wide.channels + $0 + (test.isSlice ? 1 : 0)] }
          }, zeroPoint: Int(test.zeroPoint))
        for y in 0..<output.height {
          for column in 0..<output.width {
            for o in 0..<test.output {
              let sum = ReferenceQuantizedConvolution.sum(
                map, kernel: kernel, output: o, y: y, x: column, kernelHeight: test.kernel,
                kernelWidth: test.kernel, stride: test.stride, top: geometry.padding.top,
                left: geometry.padding.left)
              let place = (image * output.area + y * output.width + column) * test.output + o
              var value = ReferenceQuantizedConvolution.value(
                sum: sum, multiplier: first.requantization.multiplier.base[o],
                offset: first.requantization.offset.base[o],
                residual: test.hasResidual
                  ? (residual[place], convolution.residualScale) : nil)
              if activation == .relu6 {
                let zero = Float(written?.zeroPoint ?? 0)
                value = min(max(value, zero), 6 / (written?.scale ?? 1) + zero)
              }
              if test.writesFloats {
                expected.floats.append(value)
              } else {
                expected.quantized.append(
                  ReferenceQuantizedConvolution.quantized(value, lowerBound: 0))
              }
            }
          }
        }
      }
      // The factors equal their definition.
      for o in 0..<test.output {
        let scale = written.map { Double($0.scale) } ?? 1
        let zero = written.map { Double($0.zeroPoint) } ?? 0
        let shift = added.map { Double($0.zeroPoint) * Double($0.scale) / scale } ?? 0
        #expect(
          first.requantization.multiplier.base[o] == Float(Double(read.scale) * scales[o] / scale))
        #expect(
          first.requantization.offset.base[o] == Float(Double(bias[o]) / scale + zero - shift))
      }
      return (
        test.writesFloats
          ? Result(floats: workspace.tensor(at: floats).elements)
          : Result(quantized: workspace.values(at: result)),
        expected
      )
    }
  }

  @Test(
    "a quantized convolution equals 64-bit integer sums",
    arguments: Int8InstructionSet.tested, QuantizedCase.all)
  func equalsIntegers(set: Int8InstructionSet, test: QuantizedCase) throws {
    for threads in 1...3 {
      let (result, expected) = try Self.run(test, on: set, threads: threads)
      #expect(result == expected, "\(threads) threads")
    }
  }

  @Test(
    "a quantized convolution with ReLU6 equals 64-bit integer sums",
    arguments: Int8InstructionSet.tested, QuantizedCase.all)
  func reLU6EqualsIntegers(set: Int8InstructionSet, test: QuantizedCase) throws {
    let (result, expected) = try Self.run(test, on: set, threads: 2, activation: .relu6)
    #expect(result == expected)
    // The bound 6 lies between two quantized values.
    #expect(result.quantized.allSatisfy { (128...136).contains($0) })
    #expect(result.floats.allSatisfy { (0...6).contains($0) })
  }

  /// Kernels multiply an input of three channels by rows of taps.
  @Test(
    "a quantized convolution by rows of taps equals 64-bit sums",
    arguments: Int8InstructionSet.tested, QuantizedCase.all.filter { $0.input == 3 })
  func rowsOfTapsEqualIntegers(set: Int8InstructionSet, test: QuantizedCase) throws {
    for threads in 1...3 {
      let (result, expected) = try Self.run(test, on: set, threads: threads, readsRows: true)
      #expect(result == expected, "\(threads) threads")
    }
  }

  /// With more threads than processors, the system saves and restores AMX tiles during calls.
  @Test(
    "AMX tiles keep their values while 16 threads compute",
    .enabled(if: Int8InstructionSet.supported.contains(.amx), "this machine has no AMX"))
  func tilesSurviveOtherThreads() throws {
    let test = QuantizedCase(
      kernel: 3, height: 40, width: 33, input: 64, output: 70, hasResidual: true)
    for _ in 0..<20 {
      let (result, expected) = try Self.run(test, on: .amx, threads: 16)
      #expect(result == expected)
    }
  }

  @Test("a quantized result may overwrite its residual", arguments: Int8InstructionSet.tested)
  func resultMayTakeTheResidualsPlace(set: Int8InstructionSet) throws {
    for test in QuantizedCase.all where test.hasResidual && !test.writesFloats {
      let (result, expected) = try Self.run(test, on: set, threads: 2, inPlace: true)
      #expect(result == expected, "\(test.testDescription)")
    }
  }

  /// Each phase of an up-convolution is a separate small convolution.
  @Test(
    "a quantized up-convolution equals 64-bit integer sums",
    arguments: Int8InstructionSet.tested,
    [UpConvolution.Padding.topLeft, .bottomRight])
  func upConvolutionEqualsIntegers(set: Int8InstructionSet, padding: UpConvolution.Padding) throws {
    // The second case uses Winograd's algorithm if the instruction set has it.
    try checkUpConvolution(padding, input: 5, height: 3, width: 14, on: set)
    try checkUpConvolution(padding, input: 33, height: 9, width: 14, on: set)
  }

  private func checkUpConvolution(
    _ padding: UpConvolution.Padding, input: Int, height: Int, width: Int,
    on set: Int8InstructionSet
  ) throws {
    let output = 34
    let shape = Tensor.Shape(height: height, width: width, channels: input)
    let x = Self.values("x", shape.elementCount)
    let bias = noise("bias", 4 * output)
    let read = MapQuantization(scale: 0.0371, zeroPoint: 128)
    // The first branch has a ReLU and no zero point, as in an up-projection.
    let written = (0..<output).map {
      $0 < 17
        ? MapQuantization(scale: 0.41, zeroPoint: 0) : MapQuantization(scale: 0.67, zeroPoint: 128)
    }
    let phases = UpConvolution.Phase.allCases
    let kernels = phases.map {
      Self.weights("\($0)", output * input * $0.kernelHeight * $0.kernelWidth)
    }
    for threads in 1...3 {
      try ThreadTeam.run(threads: threads) { team in
        var packing = DeferredPacking()
        let convolution = QuantizedConvolution(
          upConvolution: padding, inputChannels: input, outputChannels: output,
          kernels: { phase in
            let count = input * phase.kernelHeight * phase.kernelWidth
            let all = kernels[phase.index]
            return {
              (
                Array(all[$0.lowerBound * count..<$0.upperBound * count]),
                $0.map { 0.001 * Double($0 + 1) }
              )
            }
          }, bias: bias, reluChannels: 0..<17, input: read, output: written, instructionSet: set,
          packing: &packing)
        try packing.run(on: team)
        let map = QuantizedMap(shape: shape, offset: 0)
        let result = QuantizedMap(shape: convolution.outputShape(for: shape), offset: map.extent)
        let scratch = Workspace.aligned(map.extent + result.extent)
        let workspace = Workspace(
          capacity: scratch + convolution.scratchCount(for: shape, threads: threads))
        workspace.write(x, to: map)
        workspace.fillBorder(of: map, with: [UInt8](repeating: 128, count: input))
        convolution.run(
          .quantized(map), into: .quantized(result), scratch: scratch, in: workspace, on: team)
        let quantized = workspace.values(at: result)
        let reference = ReferenceQuantizedConvolution.Map(
          height: height, width: width, channels: input, quantized: x, zeroPoint: 128)
        for y in 0..<2 * height {
          for column in 0..<2 * width {
            let phase = phases[y % 2 + 2 * (column % 2)]
            let before = padding == .topLeft ? 1 : 0
            let kernel = kernels[phase.index]
            for o in 0..<output {
              let sum = ReferenceQuantizedConvolution.sum(
                reference, kernel: kernel, output: o, y: y / 2, x: column / 2,
                kernelHeight: phase.kernelHeight, kernelWidth: phase.kernelWidth, stride: 1,
                top: phase.kernelHeight == 3 ? 1 : before, left: phase.kernelWidth == 3 ? 1 : before
              )
              let packed = convolution.kernels[phase.index]
              let expected = ReferenceQuantizedConvolution.quantized(
                ReferenceQuantizedConvolution.value(
                  sum: sum, multiplier: packed.requantization.multiplier.base[o],
                  offset: packed.requantization.offset.base[o],
                  residual: nil), lowerBound: 0)
              let found = quantized[(y * 2 * width + column) * output + o]
              guard found == expected else {
                Issue.record("\(phase) at \(y), \(column), \(o): \(found), expected \(expected)")
                return
              }
            }
          }
        }
        // The border of the map is zero.
        let first = UnsafeMutableRawPointer(workspace.base + result.offset)
          .assumingMemoryBound(to: UInt8.self)
        #expect((0..<output).allSatisfy { first[$0] == written[$0].zeroPoint })
      }
    }
  }

  /// Pixels of three channels have no gaps between lines or images. The border has any width.
  @Test(
    "three-channel pixels and their border are quantized exactly",
    arguments: Int8InstructionSet.tested, 1...3)
  func colorsAreQuantized(set: Int8InstructionSet, border: Int) {
    for width in [1, 2, 5, 16, 17, 43] {
      let shape = Tensor.Shape(count: 2, height: 3, width: width, channels: 3)
      let pixels = Self.values("pixels", shape.elementCount)
      let map = FeatureMap(shape: shape, offset: 0)
      let quantized = QuantizedMap(
        shape: shape, offset: Workspace.aligned(map.extent), border: border)
      let workspace = Workspace(capacity: quantized.offset + quantized.extent)
      let read = MapQuantization(scale: 0.017, zeroPoint: 104)
      workspace.write(
        Tensor(shape: shape, elements: pixels.map { Float($0) * 0.017 - 104 * 0.017 }), to: map)
      ThreadTeam.run(threads: 2) {
        Quantization(quantization: read, instructionSet: set)
          .run(.floats(map), into: .quantized(quantized), in: workspace, on: $0)
      }
      #expect(workspace.values(at: quantized) == pixels)
      // The border around each image has the zero point.
      let bytes = UnsafeMutableRawPointer(workspace.base).advanced(by: 4 * quantized.offset)
      for image in 0..<2 {
        for line in -border..<3 + border {
          for column in -border..<width + border
          where !(0..<3).contains(line) || !(0..<width).contains(column) {
            let place =
              image * quantized.imageStride + (line + border) * quantized.lineStride
              + (column + border) * quantized.pixelStride
            for c in 0..<3 {
              #expect(bytes.load(fromByteOffset: place + c, as: UInt8.self) == 104)
            }
          }
        }
      }
    }
  }

  /// Values include ties, infinity and numbers beyond the quantized range.
  @Test("quantization rounds ties to even and saturates", arguments: Int8InstructionSet.tested)
  func quantizationRoundsTiesToEven(set: Int8InstructionSet) {
    let values: [Float] = [0, 0.5, 1.5, 2.5, 253.5, 254.5, 255.5, 1e9, -1e9, .infinity, 0.49999997]
    for zeroPoint in [UInt8(0), 128] {
      for count in [1, 3, 4, 7, 8, 9, 16, 17, 33] {
        let x = (0..<count).map { values[$0 % values.count] - Float(zeroPoint) }
        let shape = Tensor.Shape(height: 1, width: 1, channels: count)
        let map = FeatureMap(shape: shape, offset: 0)
        let quantized = QuantizedMap(shape: shape, offset: Workspace.aligned(map.extent))
        let workspace = Workspace(capacity: quantized.offset + quantized.extent)
        workspace.write(Tensor(shape: shape, elements: x), to: map)
        ThreadTeam.run(threads: 1) {
          Quantization(
            quantization: MapQuantization(scale: 1, zeroPoint: zeroPoint), instructionSet: set
          )
          .run(.floats(map), into: .quantized(quantized), in: workspace, on: $0)
        }
        #expect(
          workspace.values(at: quantized)
            == x.map {
              ReferenceQuantizedConvolution.quantized($0 + Float(zeroPoint), lowerBound: 0)
            })
      }
    }
  }
}
