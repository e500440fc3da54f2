import CDepthSIMD
import DepthBase
import Testing
import _TestSupport

@testable import NeuralEngine

extension BFloat16InstructionSet {
  /// The sets of this machine, and the models of all.
  static let tested = supported + models

  var order: ReferenceBFloat16.Order { self == .neon ? .oddPairs : hasTiles ? .tiles : .pairs }
}

/// Convolutions in bfloat16 against the formula of the rounded map and kernel in 64-bit floats, and against the order of each
/// instruction's additions to the bit.
@Suite struct BFloat16ConvolutionTests {
  /// Sizes around pairs, vectors, register tiles, AMX tiles and panels.
  static let cases: [ConvolutionCase] = {
    func test(
      _ kernel: Int, stride: Int = 1, count: Int = 1, _ height: Int, _ width: Int, _ input: Int,
      _ output: Int, hasResidual: Bool = true
    ) -> ConvolutionCase {
      .init(
        kernel: kernel, stride: stride, count: count, height: height, width: width, input: input,
        output: output, algorithm: .bfloat16(.model), hasResidual: hasResidual)
    }
    return [
      test(1, 1, 1, 1, 1, hasResidual: false), test(1, 3, 13, 5, 33),
      test(1, stride: 2, 9, 7, 16, 31), test(1, stride: 2, count: 3, 8, 7, 6, 20),
      test(1, 5, 67, 32, 70), test(1, 3, 17, 62, 40), test(1, 7, 9, 300, 96),
      test(1, 1, 3, 1024, 35), test(3, 1, 1, 3, 7), test(3, 5, 12, 16, 16),
      test(3, count: 2, 6, 5, 9, 20), test(3, stride: 2, 9, 10, 7, 24), test(3, 3, 33, 34, 65),
      test(3, 37, 3, 4, 5), test(3, 3, 4, 300, 40), test(3, 2, 2, 1024, 2),
      test(7, stride: 2, 13, 20, 3, 34, hasResidual: false),
    ]
  }()

  /// Runs one case in a workspace of its own; the map is a slice of a wider one, as in the network.
  static func run(
    _ test: ConvolutionCase, on set: BFloat16InstructionSet, threads: Int, rounding: Bool,
    inPlace: Bool = false, activation: Activation = .relu
  ) throws -> Tensor {
    let data = Data(test, rounding: rounding)
    let (geometry, shape, perChannel) = (data.geometry, data.shape, data.perChannel)
    let output = geometry.outputShape(for: shape)
    return try ThreadTeam.run(threads: threads) { team in
      let convolution = try Convolution(
        geometry,
        kernels: { Array(data.kernel[$0.lowerBound * perChannel..<$0.upperBound * perChannel]) },
        bias: data.bias, activation: activation, algorithm: .bfloat16(set), backend: .best, on: team
      )
      var wide = shape
      wide.channels += 3
      let whole = FeatureMap(shape: wide, offset: 0)
      let sum = FeatureMap(shape: output, offset: Workspace.aligned(whole.extent))
      let result =
        inPlace
        ? sum : FeatureMap(shape: output, offset: sum.offset + Workspace.aligned(sum.extent))
      let scratch = result.offset + Workspace.aligned(result.extent)
      let count = convolution.scratchCount(for: shape, threads: threads)
      let workspace = Workspace(capacity: scratch + count)
      // What was there before must not matter.
      workspace.base.update(repeating: .nan, count: scratch + count)
      workspace.write(
        Tensor(shape: shape, elements: data.x), to: whole.channels(1..<1 + test.input))
      if test.hasResidual {
        workspace.write(Tensor(shape: output, elements: data.residual), to: sum)
      }
      convolution.run(
        whole.channels(1..<1 + test.input), adding: test.hasResidual ? sum : nil, into: result,
        scratch: scratch, in: workspace, on: team)
      return workspace.tensor(at: result)
    }
  }

  /// A case's numbers.
  struct Data {
    let geometry: ConvolutionGeometry
    let shape: Tensor.Shape
    let perChannel: Int
    let x, kernel, bias, residual: [Float]

    init(_ test: ConvolutionCase, rounding: Bool) {
      geometry = ConvolutionGeometry(
        kernelHeight: test.kernel, kernelWidth: test.kernel, stride: test.stride,
        inputChannels: test.input, outputChannels: test.output)
      shape = Tensor.Shape(
        count: test.count, height: test.height, width: test.width, channels: test.input)
      perChannel = test.input * geometry.taps
      func values(_ name: String, _ count: Int) -> [Float] {
        rounding ? noise(name, count).map(ReferenceBFloat16.rounded) : noise(name, count)
      }
      x = values("x", shape.elementCount)
      kernel = values("kernel", test.output * perChannel)
      bias = noise("bias", test.output)
      residual = noise(
        "residual", test.hasResidual ? geometry.outputShape(for: shape).elementCount : 0)
    }
  }

  static func expected(_ test: ConvolutionCase) -> [Double] {
    let data = Data(test, rounding: true)
    let output = data.geometry.outputShape(for: data.shape)
    var result: [Double] = []
    let image = data.shape.area * test.input
    for first in stride(from: 0, to: data.x.count, by: image) {
      result +=
        ReferenceConvolution.convolved(
          .init(
            height: test.height, width: test.width, channels: test.input,
            elements: data.x[first..<first + image].map(Double.init)), kernel: data.kernel,
          kernelHeight: test.kernel, kernelWidth: test.kernel, stride: test.stride,
          top: data.geometry.padding.top, left: data.geometry.padding.left,
          outputHeight: output.height, outputWidth: output.width, bias: data.bias
        ).elements
    }
    for i in data.residual.indices { result[i] += Double(data.residual[i]) }
    return result.map { max($0, 0) }
  }

  @Test(arguments: cases) func matchesFormula(test: ConvolutionCase) throws {
    let expected = Self.expected(test)
    let size = Double(test.input * test.kernel * test.kernel).squareRoot()
    for set in BFloat16InstructionSet.tested {
      let one = try Self.run(test, on: set, threads: 1, rounding: true)
      expectClose(
        one.elements, expected, absolute: 1e-6 * max(size, 1), "\(test.testDescription), \(set)")
      for threads in 2...3 {
        #expect(
          try Self.run(test, on: set, threads: threads, rounding: true) == one,
          "\(set), \(threads) threads")
      }
      // The convolution itself rounds map and kernel, and nothing else.
      #expect(try Self.run(test, on: set, threads: 2, rounding: false) == one, "\(set)")
      guard test.hasResidual else { continue }
      #expect(
        try Self.run(test, on: set, threads: 2, rounding: true, inPlace: true) == one,
        "\(set) in place")
    }
  }

  /// A bound of six changes nothing but what is larger.
  @Test(arguments: cases) func reLU6IsBoundedByASix(test: ConvolutionCase) throws {
    for set in BFloat16InstructionSet.tested {
      let plain = try Self.run(test, on: set, threads: 2, rounding: false)
      let bounded = try Self.run(
        test, on: set, threads: 2, rounding: false, activation: .relu6)
      #expect(bounded.elements == plain.elements.map { min($0, 6) }, "\(set)")
    }
  }

  /// A processor's bits are those of its instruction's description.
  @Test(arguments: cases.filter { $0.width < 30 }) func bitsAreTheInstructions(
    test: ConvolutionCase
  ) throws {
    let data = Data(test, rounding: true)
    let geometry = data.geometry
    let output = geometry.outputShape(for: data.shape)
    // Where pixels have no gaps, a row of taps is one run.
    let perRun = test.input % 1024 == 0 ? 1 : test.kernel
    for set in BFloat16InstructionSet.tested {
      let found = try Self.run(test, on: set, threads: 2, rounding: true)
      for place in stride(from: 0, to: output.elementCount, by: 7) {
        let (pixel, o) = place.quotientAndRemainder(dividingBy: test.output)
        let (image, inside) = pixel.quotientAndRemainder(dividingBy: output.area)
        let (y, x) = inside.quotientAndRemainder(dividingBy: output.width)
        var runs: [(a: [Float], b: [Float])] = []
        for row in 0..<test.kernel {
          for column in 0..<test.kernel {
            if column % perRun == 0 { runs.append(([], [])) }
            let (i, j) = (
              y * test.stride + row - geometry.padding.top,
              x * test.stride + column - geometry.padding.left
            )
            let isInside = i >= 0 && i < test.height && j >= 0 && j < test.width
            for c in 0..<test.input {
              let at = ((image * test.height + i) * test.width + j) * test.input + c
              runs[runs.count - 1].a.append(isInside ? data.x[at] : 0)
              let weight = ((o * test.input + c) * test.kernel + row) * test.kernel + column
              runs[runs.count - 1].b.append(data.kernel[weight])
            }
          }
        }
        for run in runs.indices where runs[run].a.count % 2 == 1 {
          runs[run].a.append(0)
          runs[run].b.append(0)
        }
        var value = ReferenceBFloat16.sum(runs, set.order) + data.bias[o]
        if test.hasResidual { value += data.residual[place] }
        guard found.elements[place] == max(value, 0) else {
          Issue.record("\(set) at \(y), \(x), \(o): \(found.elements[place]), expected \(value)")
          break
        }
      }
    }
  }

  /// The processor's own tiles on many threads, so that the system saves and restores them during calls.
  @Test(
    .enabled(
      if: BFloat16InstructionSet.supported.contains { $0 == .amx }, "this machine has no AMX"))
  func tilesSurviveOtherThreads() throws {
    let amx = try #require(BFloat16InstructionSet.amx)
    let test = ConvolutionCase(
      kernel: 3, height: 40, width: 33, input: 64, output: 70, algorithm: .bfloat16(amx))
    let expected = try Self.run(test, on: .amxModel, threads: 2, rounding: true)
    for _ in 0..<20 {
      #expect(try Self.run(test, on: amx, threads: 16, rounding: true) == expected)
    }
  }

  /// Halves, denormals, what is too large, and what is no number.
  @Test func mapsAreRoundedToTheNearestValue() {
    let values: [Float] =
      [
        0, -0.0, 1, -1, 1.00390625, 1.01171875, -1.00390625, 1.0039063, .pi, 255, 257, 0x1p-126,
        0x1.fep-127, -0x1p-130, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0x1.fefffep127,
        .infinity, -.infinity, 0x1.fdp-126,
      ] + noise("values", 40).map { $0 * 1000 }
    for set in BFloat16InstructionSet.tested {
      for count in [1, 3, 4, 15, 16, 17, 33, 60] {
        let x = Array(values.prefix(count)) + [.nan]
        var codes = [UInt16](repeating: 0xABCD, count: x.count + 1)
        set.kernels.pointee.round(x.count, x, &codes)
        let found = codes.dropLast().map { Float(bitPattern: UInt32($0) << 16) }
        let expected = x.map(ReferenceBFloat16.rounded)
        #expect(found.dropLast().map(\.bitPattern) == expected.dropLast().map(\.bitPattern))
        #expect(found[x.count - 1].isNaN)
        #expect(codes.last == 0xABCD, "\(set), \(count) values")
      }
    }
  }
}
