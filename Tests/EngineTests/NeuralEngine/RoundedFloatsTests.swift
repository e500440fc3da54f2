import DepthBase
import Testing
import _TestSupport

@testable import NeuralEngine

/// A convolution's epilogue rounds to floats and then to quantized values, like two passes.
@Suite struct RoundedFloatsTests {
  @Test(
    "quantization fused with a convolution equals a second pass",
    arguments: Int8InstructionSet.tested, QuantizedCase.all.filter { !$0.writesFloats })
  func equalsQuantizedFloats(set: Int8InstructionSet, test: QuantizedCase) throws {
    let (geometry, shape) = (test.geometry, test.shape)
    let output = geometry.outputShape(for: shape)
    let perChannel = test.input * geometry.taps
    let kernel = QuantizedConvolutionTests.weights("w", test.output * perChannel)
    let written = MapQuantization(scale: 0.73, zeroPoint: test.zeroPoint)
    func maps(output: MapQuantization?) -> MapQuantizations {
      MapQuantizations(
        input: MapQuantization(scale: 0.0371, zeroPoint: test.zeroPoint),
        output: output.map { [MapQuantization](repeating: $0, count: test.output) },
        residual: test.hasResidual ? MapQuantization(scale: 0.51, zeroPoint: 128) : nil,
        roundsToFloats: output != nil)
    }
    for (threads, activation) in [(1, Activation.none), (2, .relu), (3, .relu6)] {
      try ThreadTeam.run(threads: threads) { team in
        func convolution(_ maps: MapQuantizations) throws -> QuantizedConvolution {
          var packing = DeferredPacking()
          let convolution = QuantizedConvolution(
            geometry,
            kernels: { range in
              (
                Array(kernel[range.lowerBound * perChannel..<range.upperBound * perChannel]),
                range.map { 0.003 * Double($0 % 7 + 1) }
              )
            }, bias: noise("bias", test.output), activation: activation, maps: maps,
            instructionSet: set, packing: &packing)
          try packing.run(on: team)
          return convolution
        }
        let plain = try convolution(maps(output: nil))
        let joined = try convolution(maps(output: written))
        let map = QuantizedMap(shape: shape, offset: 0, border: geometry.largestPadding)
        let residual = QuantizedMap(shape: output, offset: map.extent)
        let floats = FeatureMap(shape: output, offset: residual.offset + residual.extent)
        let expected = QuantizedMap(
          shape: output, offset: floats.offset + Workspace.aligned(floats.extent), border: 0)
        let found = QuantizedMap(
          shape: output, offset: expected.offset + expected.extent, border: 0)
        let scratch = Workspace.aligned(found.offset + found.extent)
        let workspace = Workspace(
          capacity: scratch + plain.scratchCount(for: shape, threads: threads))
        workspace.write(QuantizedConvolutionTests.values("x", shape.elementCount), to: map)
        workspace.fillBorder(
          of: map, with: [UInt8](repeating: test.zeroPoint, count: test.input))
        workspace.write(QuantizedConvolutionTests.values("r", output.elementCount), to: residual)
        let added = test.hasResidual ? residual : nil
        plain.run(
          .quantized(map), adding: added, into: .floats(floats), scratch: scratch, in: workspace,
          on: team)
        Quantization(quantization: written, instructionSet: set)
          .run(.floats(floats), into: .quantized(expected), in: workspace, on: team)
        joined.run(
          .quantized(map), adding: added, into: .quantized(found), scratch: scratch, in: workspace,
          on: team)
        #expect(workspace.values(at: found) == workspace.values(at: expected), "\(activation)")
      }
    }
  }

  /// The first layers of a residual network. Two layers read the pooled map.
  private static func network(readsFloats: Bool) throws -> Node {
    var archive = CalibratedArchive()
    archive.base.addConvolution("conv1", [20, 3, 7, 7])
    for name in ["a", "b"] { archive.base.addConvolution(name, [20, 20, 3, 3]) }
    archive.base.addConvolution("float", [20, 20, 1, 1])
    archive.base.addConvolution("last", [1, 20, 3, 3])
    archive.inputs = ["a": 0.021, "b": 0.05]
    archive.residuals = ["b": 0.021]
    let weights = WeightScope(archive, batchNormEpsilon: 0, isFolded: true)
    func conv(_ name: String, _ size: Int, stride: Int = 1, _ input: Int, _ output: Int) throws
      -> Conv2D
    {
      try Conv2D(
        weights, name, kernelSize: size, stride: stride, input, output, hasBias: true,
        activation: .relu)
    }
    let image = Node.input(channels: 3, quantization: MapQuantization(scale: 0.01, zeroPoint: 100))
    let pool = MaxPool2D(name: "pool")(try conv("conv1", 7, stride: 2, 3, 20)(image))
    let b = try conv("b", 3, 20, 20)(conv("a", 3, 20, 20)(pool), adding: pool)
    let read = readsFloats ? try conv("float", 1, 20, 20)(pool, adding: b) : b
    return try conv("last", 3, 20, 1)(read)
  }

  @Test("one float reader makes pooling compute floats", arguments: Int8InstructionSet.tested)
  func quantizedMapsArePooledWhereOnlyTheyAreRead(set: Int8InstructionSet) throws {
    let shape = Tensor.Shape(count: 2, height: 29, width: 34, channels: 3)
    let input = Tensor(
      shape: shape,
      elements: QuantizedConvolutionTests.values("x", shape.elementCount).map {
        (Float($0) - 100) * 0.01
      })
    func run(_ node: Node, threads: Int) throws -> (layers: [String], kept: [String: Tensor]) {
      let program = try node.compiled(forInput: shape, int8: set, threads: threads)
      let plan = program.memoryPlan(forInput: shape, threads: threads)
      let kept = try program.run(input, in: .init(plan), keeping: ["pool", "a"]).kept
      return (program.layers.map(\.name), kept)
    }
    let plain = try run(Self.network(readsFloats: true), threads: 1)
    #expect(plain.layers == ["data", "conv1", "pool", "pool", "a", "b", "float", "last"])
    for threads in 1...3 {
      let quantized = try run(Self.network(readsFloats: false), threads: threads)
      #expect(quantized.layers == ["data", "conv1", "pool", "a", "b+last"])
      #expect(quantized.kept["a"] == plain.kept["a"])
      #expect(quantized.kept["pool"] != plain.kept["pool"], "a quantized map has fewer values")
    }
    #expect(Set(plain.kept["a"]?.elements ?? []).count > 20)
  }
}
