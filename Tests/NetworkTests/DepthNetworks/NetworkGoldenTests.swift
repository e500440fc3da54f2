import DepthBase
import DepthImages
import DepthNetworks
import HDF5Files
import NeuralEngine
import Testing
import WeightsFiles
import _TestSupport

/// Golden files of an independent PyTorch implementation in 64-bit floats.
@Suite struct NetworkGoldenTests {
  /// Every GEMM backend.
  static let backends =
    InstructionSet.supported.map { GEMMBackend.packed($0) } + [.openBLAS(.current)]

  static func run(
    _ archive: any WeightArchive, on image: Image, backend: GEMMBackend,
    threads: Int = 2, keeping: Set<String> = []
  ) throws -> (output: Tensor, kept: [String: Tensor]) {
    let network = try FCRN(archive)
    let shape = Tensor.Shape(height: image.height, width: image.width, channels: 3)
    let program = try network.output.compiled(
      forInput: network.inputShape, backend: backend, threads: threads)
    let memory = Program.Memory(program.memoryPlan(forInput: shape, threads: threads))
    let input = Tensor(shape: shape, elements: image.pixels.map(Float.init))
    return try program.run(input, in: memory, keeping: keeping)
  }

  @Test(
    "a narrow FCRN-50 equals the golden file on every backend",
    arguments: backends, ["228x304", "65x97", "65x97_bottomright"])
  func narrowNetwork(backend: GEMMBackend, size: String) throws {
    let golden = try NetworkGolden("fcrn_narrow16_golden_\(size).h5")
    var weights = EditedWeights(
      try HDF5WeightArchive(path: Golden.path("fcrn_narrow16_weights.h5")))
    weights.attributes["upproj_padding"] = .text(
      size.hasSuffix("bottomright") ? "bottomright" : "topleft")
    let names = Set(golden.samples.map(\.name))
    let (output, kept) = try Self.run(
      weights, on: golden.input, backend: backend, keeping: names)
    expectClose(
      output.elements, golden.output, absolute: 1e-4, shape: golden.outputShape, "depth")
    try compare(kept, with: golden, expectedMissing: ["ConvPred_linear"])

    weights.attributes["final_relu"] = .integers([0])
    let linear = try Self.run(weights, on: golden.input, backend: backend).output
    if let expected = golden.activations["ConvPred_linear"] {
      expectClose(linear.elements, expected.elements, absolute: 1e-4, "ConvPred_linear")
    }
    #expect(linear.elements.min() ?? 0 < 0 || output == linear)
  }

  @Test("the final ReLU limits depth to 0 like the golden file") func finalReLUCutsAtZero() throws {
    let golden = try NetworkGolden("fcrn_narrow16_golden_65x97.h5")
    var weights = EditedWeights(
      try HDF5WeightArchive(path: Golden.path("fcrn_narrow16_weights.h5")))
    weights.tensors["ConvPred/bias"] = .init(
      shape: [1], elements: try weights.elements(of: "ConvPred/bias").map { $0 - 4 })
    let output = try Self.run(weights, on: golden.input, backend: .best).output
    let expected = try #require(golden.outputBiasMinus4)
    expectClose(output.elements, expected, absolute: 1e-4, "depth with ConvPred's bias 4 lower")
    #expect(output.elements.filter { $0 == 0 }.count > output.elements.count / 4)
  }

  @Test("FCRN-50 equals the golden file on every backend", arguments: backends)
  func fullNetwork(backend: GEMMBackend) throws {
    let golden = try NetworkGolden("fcrn_full_golden_228x304.h5")
    let (output, kept) = try Self.run(
      GeneratedWeights(), on: golden.input, backend: backend,
      keeping: Set(golden.samples.map(\.name)))
    let worst = expectClose(
      output.elements, golden.output, absolute: 1e-4, shape: golden.outputShape, "depth")
    print("full network, \(backend): largest difference \(worst) m")
    try compare(kept, with: golden, expectedMissing: ["ConvPred_linear"])
  }

  func compare(
    _ kept: [String: Tensor], with golden: NetworkGolden, expectedMissing: Set<String>
  ) throws {
    for sample in golden.samples where !expectedMissing.contains(sample.name) {
      let tensor = try #require(kept[sample.name], "\(sample.name) was not computed")
      let shape = tensor.shape
      #expect([shape.channels, shape.height, shape.width] == sample.shape, "\(sample.name)")
      let elements = tensor.channelsFirst
      expectClose(
        sample.indices.map { elements[$0] }, sample.values, absolute: 1e-4 * max(1, sample.rms),
        sample.name)
    }
    for (name, activation) in golden.activations where !expectedMissing.contains(name) {
      let tensor = try #require(kept[name], "\(name) was not computed")
      let squares = activation.elements.reduce(0.0) { $0 + Double($1) * Double($1) }
      let rms = (squares / Double(max(activation.elements.count, 1))).squareRoot()
      expectClose(
        tensor.channelsFirst, activation.elements, absolute: 1e-4 * max(1, rms),
        shape: activation.shape, name)
    }
  }
}
