import DepthBase
import Testing
import _TestSupport

@testable import NeuralEngine

@Suite struct DepthwiseConvolutionTests {
  /// The kernel reads a slice of a wider map and writes a separate map.
  static func run(
    _ test: DepthwiseCase, activation: Activation, on set: InstructionSet, threads: Int
  ) throws -> Tensor {
    let geometry = DepthwiseGeometry(
      kernelSize: test.kernel, stride: test.stride, channels: test.channels)
    let data = Data(test)
    let shape = data.shape
    return try ThreadTeam.run(threads: threads) { team in
      let convolution = try DepthwiseConvolution(
        geometry,
        kernels: {
          Array(data.kernel[$0.lowerBound * geometry.taps..<$0.upperBound * geometry.taps])
        }, bias: data.bias, activation: activation)
      var wide = shape
      wide.channels += 3
      let whole = FeatureMap(shape: wide, offset: 0)
      let result = FeatureMap(
        shape: convolution.outputShape(for: shape), offset: Workspace.aligned(whole.extent))
      let workspace = Workspace(capacity: result.offset + Workspace.aligned(result.extent))
      // A kernel that reads the former contents of the result would return NaN.
      workspace.base.update(repeating: .nan, count: workspace.capacity)
      let input = whole.channels(1..<1 + test.channels)
      workspace.write(Tensor(shape: shape, elements: data.x), to: input)
      convolution.run(
        .floats(input), into: .floats(result), in: workspace, backend: .packed(set), on: team)
      return workspace.tensor(at: result)
    }
  }

  struct Data {
    let shape: Tensor.Shape
    let x, kernel, bias: [Float]

    init(_ test: DepthwiseCase) {
      shape = .init(
        count: test.count, height: test.height, width: test.width, channels: test.channels)
      x = noise("x", shape.elementCount).map { 4 * $0 }
      kernel = noise("kernel", test.channels * test.kernel * test.kernel)
      bias = noise("bias", test.channels)
    }
  }

  static func expected(_ test: DepthwiseCase) -> [Double] {
    let data = Data(test)
    let image = data.shape.area * test.channels
    return stride(from: 0, to: data.x.count, by: image).flatMap { first in
      ReferenceDepthwise.convolved(
        .init(
          height: test.height, width: test.width, channels: test.channels,
          elements: data.x[first..<first + image].map(Double.init)), kernel: data.kernel,
        size: test.kernel, stride: test.stride, bias: data.bias
      ).elements
    }
  }

  @Test(
    "a depthwise convolution matches its formula on any number of threads",
    arguments: InstructionSet.supported, DepthwiseCase.all)
  func matchesFormula(set: InstructionSet, test: DepthwiseCase) throws {
    let linear = Self.expected(test)
    for (activation, expected) in [
      (Activation.none, linear), (.relu, linear.map { max($0, 0) }),
      (.relu6, linear.map { min(max($0, 0), 6) }),
    ] {
      let one = try Self.run(test, activation: activation, on: set, threads: 1)
      expectClose(one.elements, expected, absolute: 1e-5, "\(activation)")
      for threads in 2...3 {
        #expect(
          try Self.run(test, activation: activation, on: set, threads: threads) == one,
          "\(activation), \(threads) threads")
      }
    }
  }

  /// Sizes that no network uses.
  @Test(
    "depthwise kernels of any odd size and any stride match the formula",
    arguments: InstructionSet.supported, [(1, 1), (7, 1), (3, 3), (7, 2)])
  func anyOddKernelAndStride(set: InstructionSet, kernel: (size: Int, stride: Int)) throws {
    let test = DepthwiseCase(
      kernel: kernel.size, stride: kernel.stride, height: 11, width: 19, channels: 21)
    let found = try Self.run(test, activation: .none, on: set, threads: 2)
    expectClose(found.elements, Self.expected(test), absolute: 1e-5)
  }
}
