import Testing
import _TestSupport

@testable import NeuralEngine

/// Single layers, compiled and run, against their formulas in 64-bit floats.
@Suite struct LayerTests {
  static let epsilon = 1e-3

  /// Odd and even sizes around the tiles and vectors of the kernels.
  static let sizes = [(1, 1), (2, 3), (5, 8), (7, 9), (10, 13)]

  /// A test's input as the engine's tensor and as the reference's map.
  static func input(
    _ size: (Int, Int), channels: Int
  ) -> (tensor: Tensor, map: ReferenceConvolution.Map) {
    let shape = Tensor.Shape(height: size.0, width: size.1, channels: channels)
    let x = noise("x", shape.elementCount)
    return (
      Tensor(shape: shape, elements: x),
      .init(height: size.0, width: size.1, channels: channels, elements: x.map(Double.init))
    )
  }

  static func scope(_ archive: NoiseArchive) -> WeightScope {
    WeightScope(archive, batchNormEpsilon: epsilon, isFolded: false)
  }

  /// Compares the compiled layer's result with the expected map.
  func expect(
    _ output: Node, on input: Tensor, _ expected: ReferenceConvolution.Map, _ what: String
  ) throws {
    let program = try output.compiled(forInput: input.shape, threads: 2)
    let plan = program.memoryPlan(forInput: input.shape, threads: 2)
    let result = try program.run(input, in: .init(plan)).output
    #expect(
      result.shape
        == Tensor.Shape(
          height: expected.height, width: expected.width, channels: expected.channels))
    let largest = expected.elements.map(abs).max() ?? 0
    expectClose(result.elements, expected.elements, absolute: 1e-5 * max(largest, 1), what)
  }

  @Test(
    "a convolution with batch norm and activation matches its formula",
    arguments: [(1, 1), (1, 2), (3, 1), (3, 2), (7, 2)])
  func convolutionWithBatchNorm(kernelSize: Int, stride: Int) throws {
    var archive = NoiseArchive()
    archive.addConvolution("conv", [5, 3, kernelSize, kernelSize])
    archive.addBatchNorm("norm", channels: 5)
    let reference = ReferenceLayers(archive: archive, epsilon: Self.epsilon)
    for size in Self.sizes {
      for activation in [Activation.none, .relu] {
        let (tensor, map) = Self.input(size, channels: 3)
        let layer = try Conv2D(
          Self.scope(archive), "conv", norm: "norm", kernelSize: kernelSize, stride: stride, 3, 5,
          hasBias: true, activation: activation)
        let linear = reference.normalized(
          reference.convolved(map, "conv", size: kernelSize, stride: stride), "norm")
        try expect(
          layer(.input(channels: 3)), on: tensor,
          activation == .relu ? reference.relu(linear) : linear, "\(size), \(activation)")
      }
    }
  }

  @Test("residuals are added before activation") func residualIsAddedBeforeTheActivation() throws {
    var archive = NoiseArchive()
    archive.addConvolution("a", [6, 6, 3, 3])
    let reference = ReferenceLayers(archive: archive, epsilon: Self.epsilon)
    let layer = try Conv2D(
      Self.scope(archive), "a", kernelSize: 3, 6, 6, hasBias: true, activation: .relu)
    for size in Self.sizes {
      let (tensor, map) = Self.input(size, channels: 6)
      let x = Node.input(channels: 6)
      try expect(
        layer(x, adding: x), on: tensor,
        reference.relu(reference.sum(reference.convolved(map, "a", size: 3), map)), "\(size)")
    }
  }

  @Test("maximum pooling matches its formula") func maximumPooling() throws {
    for size in Self.sizes {
      let (tensor, map) = Self.input(size, channels: 5)
      try expect(
        MaxPool2D(name: "pool")(.input(channels: 5)), on: tensor, ReferenceLayers.maxPooled(map),
        "\(size)")
    }
  }

  /// An archive with the branches of an up-projection from 6 to 4 channels.
  static var upProjection: NoiseArchive {
    var archive = NoiseArchive()
    for branch in ["up_br1", "up_br2"] {
      for phase in UpConvolution.Phase.allCases {
        archive.addConvolution(
          "\(branch)_Conv\(phase.letter)", [4, 6, phase.kernelHeight, phase.kernelWidth])
      }
      archive.addBatchNorm("\(branch)_BN", channels: 4)
    }
    archive.addConvolution("up_Conv", [4, 4, 3, 3])
    archive.addBatchNorm("up_BN", channels: 4)
    return archive
  }

  /// Each branch is a slice of one feature map. Only the first branch has a ReLU.
  @Test(
    "both branches of an up-convolution match their formulas",
    arguments: UpConvolution.Padding.allCases)
  func branchesOfAnUpConvolution(padding: UpConvolution.Padding) throws {
    let archive = Self.upProjection
    let reference = ReferenceLayers(archive: archive, epsilon: Self.epsilon)
    let layer = try UpConv2D(
      Self.scope(archive),
      branches: [
        .init(prefix: "up_br1", activation: .relu), .init(prefix: "up_br2", activation: .none),
      ], padding: padding, 6, 4)
    for size in Self.sizes {
      let (tensor, map) = Self.input(size, channels: 6)
      let nodes = layer(.input(channels: 6))
      #expect(nodes.map(\.name) == ["up_br1_ReLU", "up_br2_BN"])
      try expect(
        nodes[0], on: tensor,
        reference.relu(reference.upConvolved(map, "up_br1", padding: padding)), "\(size), 1")
      try expect(
        nodes[1], on: tensor, reference.upConvolved(map, "up_br2", padding: padding), "\(size), 2")
    }
  }

  /// Figure 2 (d) of Laina et al.
  @Test("an up-projection matches its formula", arguments: UpConvolution.Padding.allCases)
  func upProjection(padding: UpConvolution.Padding) throws {
    let archive = Self.upProjection
    let reference = ReferenceLayers(archive: archive, epsilon: Self.epsilon)
    let weights = Self.scope(archive)
    let layer = try UpProjection(weights, "up", padding: padding, 6, 4)
    try weights.requireEverythingUsed()
    for size in Self.sizes {
      let (tensor, map) = Self.input(size, channels: 6)
      let first = reference.relu(reference.upConvolved(map, "up_br1", padding: padding))
      let expected = reference.sum(
        reference.normalized(reference.convolved(first, "up_Conv", size: 3), "up_BN"),
        reference.upConvolved(map, "up_br2", padding: padding))
      try expect(
        layer(.input(channels: 6)), on: tensor, reference.relu(expected), "\(size)")
    }
  }
}
