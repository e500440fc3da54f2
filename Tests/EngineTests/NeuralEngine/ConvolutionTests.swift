import DepthBase
import Foundation
import Testing
import _TestSupport

@testable import NeuralEngine

/// The geometry, map size and backend of one convolution.
struct ConvolutionCase: Sendable, CustomTestStringConvertible {
  var kernel = 3
  var stride = 1
  var count = 1
  var height, width, input, output: Int
  var algorithm: ConvolutionAlgorithm
  var hasResidual = true

  var testDescription: String {
    "\(kernel)×\(kernel)/\(stride) \(input)→\(output) on \(count)×\(height)×\(width), \(algorithm)"
  }

  /// Sizes at and beside multiples of tiles, panels and vectors, where off-by-one errors occur.
  static let all: [ConvolutionCase] =
    [2, 4].flatMap { tile -> [ConvolutionCase] in
      let algorithm = ConvolutionAlgorithm.winograd(tile: tile)
      return [
        .init(height: 1, width: 1, input: 1, output: 1, algorithm: algorithm),
        .init(height: 5, width: 9, input: 16, output: 32, algorithm: algorithm),
        .init(height: 8, width: 10, input: 17, output: 33, algorithm: algorithm),
        .init(height: 3, width: 2, input: 40, output: 5, algorithm: algorithm),
        .init(height: 15, width: 19, input: 64, output: 64, algorithm: algorithm),
        .init(count: 3, height: 6, width: 7, input: 8, output: 20, algorithm: algorithm),
        .init(
          height: 7, width: 7, input: 96, output: 130, algorithm: algorithm, hasResidual: false),
      ]
    } + [
      .init(kernel: 1, height: 1, width: 1, input: 3, output: 7, algorithm: .pointwise),
      .init(kernel: 1, height: 15, width: 19, input: 65, output: 64, algorithm: .pointwise),
      .init(
        kernel: 1, stride: 2, height: 9, width: 7, input: 16, output: 33, algorithm: .pointwise),
      .init(
        kernel: 1, stride: 2, count: 2, height: 8, width: 6, input: 5, output: 9,
        algorithm: .pointwise),
      .init(kernel: 7, stride: 2, height: 23, width: 30, input: 3, output: 64, algorithm: .im2col),
      .init(kernel: 3, stride: 2, height: 9, width: 10, input: 16, output: 24, algorithm: .im2col),
      .init(kernel: 3, count: 2, height: 4, width: 5, input: 7, output: 3, algorithm: .im2col),
      .init(
        kernel: 3, height: 1, width: 1, input: 4, output: 1, algorithm: .tapSum, hasResidual: false),
      .init(
        kernel: 3, height: 17, width: 33, input: 16, output: 1, algorithm: .tapSum,
        hasResidual: false),
      .init(
        kernel: 3, count: 2, height: 5, width: 3, input: 9, output: 1, algorithm: .tapSum,
        hasResidual: false),
      .init(
        kernel: 3, height: 17, width: 33, input: 32, output: 2, algorithm: .tapSum,
        hasResidual: false),
      .init(
        kernel: 3, count: 2, height: 1, width: 3, input: 5, output: 2, algorithm: .tapSum,
        hasResidual: false),
    ]
}

/// Pseudorandom numbers in −1 … 1. Equal names and indices give equal numbers.
func noise(_ name: String, _ count: Int) -> [Float] {
  let stream = CounterStream(name)
  return (0..<count).map { Float(stream[$0]) / Float(1 << 23) - 1 }
}

let allBackends =
  InstructionSet.supported.map { GEMMBackend.packed($0) } + [
    .openBLAS(.current), .fused(.baseline),
  ]

@Suite struct ConvolutionTests {
  /// Float layers of int8 networks give equal bits on processors with and without FMA.
  @Test(
    "plain code for fused products has the bits of FMA instructions",
    arguments: ConvolutionCase.all.filter { [.tapSum, .im2col].contains($0.algorithm) })
  func fusedProductsHaveTheBitsOfFusedInstructions(test: ConvolutionCase) throws {
    for inPlace in test.hasResidual ? [false, true] : [false] {
      func bits(_ backend: GEMMBackend, threads: Int) throws -> Tensor {
        try Self.run(test, backend: backend, threads: threads, inPlace: inPlace).result
      }
      let fused = try bits(.fused(.baseline), threads: 2)
      for set in InstructionSet.supported where set != .baseline {
        #expect(try bits(.packed(set), threads: 1) == fused, "\(set) in place: \(inPlace)")
      }
    }
  }

  /// Runs one case in a new workspace. The map is a slice of a wider map, as in networks.
  static func run(
    _ test: ConvolutionCase, backend: GEMMBackend, threads: Int, activation: Activation = .none,
    inPlace: Bool = false
  ) throws -> (result: Tensor, expected: [Double]) {
    let geometry = ConvolutionGeometry(
      kernelHeight: test.kernel, kernelWidth: test.kernel, stride: test.stride,
      inputChannels: test.input, outputChannels: test.output)
    let shape = Tensor.Shape(
      count: test.count, height: test.height, width: test.width, channels: test.input)
    let output = geometry.outputShape(for: shape)
    let extra = 3
    var wide = shape
    wide.channels += extra
    let x = noise("x", wide.elementCount)
    let kernel = noise("kernel", test.output * test.input * geometry.taps)
    let bias = noise("bias", test.output)
    let residual = noise("residual", test.hasResidual ? output.elementCount : 0)
    let perChannel = test.input * geometry.taps

    return try ThreadTeam.run(threads: threads) { team in
      let convolution = try Convolution(
        geometry,
        kernels: { Array(kernel[$0.lowerBound * perChannel..<$0.upperBound * perChannel]) },
        bias: bias, activation: activation, algorithm: test.algorithm, backend: backend, on: team)
      let whole = FeatureMap(shape: wide, offset: 0)
      let input = whole.channels(1..<1 + test.input)
      let sum = FeatureMap(shape: output, offset: Workspace.aligned(whole.extent))
      let result =
        inPlace
        ? sum
        : FeatureMap(shape: output, offset: sum.offset + Workspace.aligned(sum.extent))
      let scratch = result.offset + Workspace.aligned(result.extent)
      let workspace = Workspace(
        capacity: scratch + convolution.scratchCount(for: shape, threads: threads))
      workspace.write(Tensor(shape: wide, elements: x), to: whole)
      if test.hasResidual {
        workspace.write(Tensor(shape: output, elements: residual), to: sum)
      }
      convolution.run(
        input, adding: test.hasResidual ? sum : nil, into: result, scratch: scratch,
        in: workspace, on: team)

      var expected: [Double] = []
      for image in 0..<test.count {
        let pixels = image * shape.area..<(image + 1) * shape.area
        let map = ReferenceConvolution.Map(
          height: shape.height, width: shape.width, channels: test.input,
          elements: pixels.flatMap { pixel in
            (1...test.input).map { Double(x[pixel * wide.channels + $0]) }
          })
        expected +=
          ReferenceConvolution.convolved(
            map, kernel: kernel, kernelHeight: test.kernel, kernelWidth: test.kernel,
            stride: test.stride, top: geometry.padding.top, left: geometry.padding.left,
            outputHeight: output.height, outputWidth: output.width, bias: bias
          ).elements
      }
      for i in residual.indices { expected[i] += Double(residual[i]) }
      switch activation {
      case .none: break
      case .relu: expected = expected.map { max($0, 0) }
      case .relu6: expected = expected.map { min(max($0, 0), 6) }
      case .exp: expected = expected.map { exp($0) }
      case .gelu: expected = expected.map(ReferenceTransformer.gelu)
      }
      return (workspace.tensor(at: result), expected)
    }
  }

  @Test(
    "a convolution matches its formula with any backend and activation",
    arguments: allBackends, ConvolutionCase.all)
  func matchesFormula(backend: GEMMBackend, test: ConvolutionCase) throws {
    for activation in [Activation.none, .relu, .relu6, .gelu] {
      let (result, expected) = try Self.run(
        test, backend: backend, threads: 2, activation: activation)
      if activation == .relu6, test.input * test.kernel > 190 { #expect(expected.contains(6)) }
      // Each result sums inputs · taps products of up to 1. Winograd's transforms lose a few bits.
      let size = (Double(test.input * test.kernel * test.kernel)).squareRoot()
      expectClose(
        result.elements, expected, absolute: 3e-6 * max(size, 1), test.testDescription)
    }
  }

  /// An error e of the sum becomes an error e · exp(sum) of the result.
  @Test(
    "a convolution with an exponential activation matches its formula",
    arguments: allBackends, ConvolutionCase.all.filter { $0.input <= 32 })
  func exponentialActivationMatchesFormula(backend: GEMMBackend, test: ConvolutionCase) throws {
    let (result, expected) = try Self.run(test, backend: backend, threads: 2, activation: .exp)
    expectClose(
      result.elements, expected, absolute: 0, relative: 1e-4, test.testDescription)
  }

  /// Tap sums cannot add a residual map.
  @Test("a convolution with a residual map does not use tap sums", arguments: 1...3)
  func fewChannelsMayAddAMap(channels: Int) throws {
    let geometry = ConvolutionGeometry(
      kernelHeight: 3, kernelWidth: 3, inputChannels: 6, outputChannels: channels)
    let shape = Tensor.Shape(height: 5, width: 7, channels: 6)
    let plain = ConvolutionAlgorithm.best(for: geometry, input: shape)
    let adding = ConvolutionAlgorithm.best(for: geometry, input: shape, addsMap: true)
    #expect(plain == .tapSum ? channels < 3 && adding == .im2col : adding == plain)
  }

  @Test(
    "a convolution's result may overwrite its residual",
    arguments: allBackends, ConvolutionCase.all.filter(\.hasResidual))
  func resultMayTakeTheResidualsPlace(backend: GEMMBackend, test: ConvolutionCase) throws {
    let (result, expected) = try Self.run(test, backend: backend, threads: 2, inPlace: true)
    let size = (Double(test.input * test.kernel * test.kernel)).squareRoot()
    expectClose(result.elements, expected, absolute: 3e-6 * max(size, 1), test.testDescription)
  }

  @Test(
    "a convolution gives equal bits on 1, 2 and 4 threads",
    arguments: allBackends, ConvolutionCase.all)
  func bitsDoNotDependOnThreads(backend: GEMMBackend, test: ConvolutionCase) throws {
    let one = try Self.run(test, backend: backend, threads: 1).result
    for threads in [2, 4] {
      #expect(try Self.run(test, backend: backend, threads: threads).result == one)
    }
  }
}
