import DepthBase
import DepthErrors
import DepthNetworks
import Testing
import WeightsFiles
import _TestSupport

@testable import NeuralEngine

/// Programs that pack the weights of a layer before each run of the layer.
@Suite struct UnkeptWeightsTests {
  static let backends: [GEMMBackend] =
    InstructionSet.supported.map { .packed($0) } + [.openBLAS(.current)]

  private static func program(
    _ archive: some WeightArchive, backend: GEMMBackend = .best, keepsWeights: Bool
  ) throws -> Program {
    let network = try FCRN(archive)
    return try network.output.compiled(
      forInput: network.inputShape, backend: backend, keepsWeights: keepsWeights, threads: 2)
  }

  private static func images(_ count: Int) -> Tensor {
    let noise = CounterStream("unkept")
    let shape = Tensor.Shape(count: count, height: 65, width: 97, channels: 3)
    return Tensor(
      shape: shape, elements: (0..<shape.elementCount).map { Float(noise[$0] % 256) })
  }

  /// Passes over single images and over the batch run twice in one memory.
  @Test("weights packed before each run give equal bits", arguments: backends, [1, 3])
  func resultsHaveTheBitsOfKeptWeights(backend: GEMMBackend, threads: Int) throws {
    let archive = try HDF5WeightArchive(path: Golden.path("fcrn_narrow16_weights.h5"))
    let kept = try Self.program(archive, backend: backend, keepsWeights: true)
    let late = try Self.program(archive, backend: backend, keepsWeights: false)
    let convolutions = late.layers.count { !($0.operation is MaxPooling) }
    #expect(late.layers.count { $0.packed != nil } == convolutions)
    #expect(kept.layers.allSatisfy { $0.packed == nil })
    let names = Set(kept.valueNames)
    let input = Self.images(2)
    let expected = try kept.run(
      input, in: .init(kept.memoryPlan(forInput: input.shape, threads: threads)), keeping: names)
    let plan = late.memoryPlan(forInput: input.shape, threads: threads)
    #expect(plan.passes == kept.memoryPlan(forInput: input.shape, threads: threads).passes)
    let memory = Program.Memory(plan)
    for _ in 0..<2 {
      let found = try late.run(input, in: memory, keeping: names)
      #expect(found.output == expected.output)
      for (name, map) in expected.kept { #expect(found.kept[name] == map, "\(name)") }
    }
  }

  @Test("weights packed late take one layer's memory") func memoryIsThatOfOneLayer() throws {
    let archive = try HDF5WeightArchive(path: Golden.path("fcrn_narrow16_weights.h5"))
    let shape = Self.images(1).shape
    let (kept, late) = (
      try Self.program(archive, keepsWeights: true), try Self.program(archive, keepsWeights: false)
    )
    let (keptPlan, latePlan) = (
      kept.memoryPlan(forInput: shape, threads: 1), late.memoryPlan(forInput: shape, threads: 1)
    )
    #expect(keptPlan.capacity == keptPlan.weights)
    #expect(latePlan.weights == keptPlan.weights)
    let weights = kept.layers.map(\.operation.weightBytes)
    #expect(weights == late.layers.map(\.operation.weightBytes))
    #expect(4 * (latePlan.capacity - latePlan.weights) == weights.max())
  }

  @Test("kernels that cannot be read by rows stay packed")
  func kernelsThatAreReadWholeAreKept() throws {
    let program = try Self.program(
      EditedWeights(HDF5WeightArchive(path: Golden.path("fcrn_narrow16_weights.h5"))),
      keepsWeights: false)
    #expect(program.layers.allSatisfy { $0.packed == nil })
  }
}
