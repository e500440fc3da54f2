import Testing
import _TestSupport

@testable import NeuralEngine

/// The memory plans of small graphs.
@Suite struct MemoryPlanTests {
  static let shape = Tensor.Shape(height: 9, width: 7, channels: 16)

  /// The number of floats in one feature map.
  static var extent: Int {
    Workspace.aligned(FeatureMap(shape: shape, offset: 0).extent)
  }

  /// 3×3 convolutions of 16 channels, named `c0`, `c1`, ….
  static func convolutions(_ count: Int) throws -> [Conv2D] {
    var archive = NoiseArchive()
    for i in 0..<count { archive.addConvolution("c\(i)", [16, 16, 3, 3]) }
    let weights = WeightScope(archive, batchNormEpsilon: 0, isFolded: false)
    return try (0..<count).map {
      try Conv2D(weights, "c\($0)", kernelSize: 3, 16, 16, hasBias: true)
    }
  }

  static func program(_ output: Node) throws -> Program {
    try output.compiled(forInput: shape, threads: 1)
  }

  static func offset(of name: String, in plan: MemoryPlan, _ program: Program) throws -> Int {
    plan.maps[try #require(program.values.firstIndex { $0.name == name })].offset
  }

  @Test("a chain of convolutions takes the memory of two maps") func chainTakesTwoMaps() throws {
    let output = try Self.convolutions(6).reduce(Node.input(channels: 16)) { $1($0) }
    let plan = try Self.program(output).memoryPlan(forInput: Self.shape, threads: 1)
    #expect(plan.scratch == 2 * Self.extent)
    #expect(plan.capacity >= plan.scratch)
  }

  @Test("a sum overwrites a residual that no later layer reads")
  func sumTakesItsResidualsPlace() throws {
    let layers = try Self.convolutions(3)
    let shortcut = layers[0](.input(channels: 16))
    let program = try Self.program(layers[2](layers[1](shortcut), adding: shortcut))
    let plan = program.memoryPlan(forInput: Self.shape, threads: 1)
    #expect(
      try Self.offset(of: "c2", in: plan, program) == Self.offset(of: "c0", in: plan, program))
    #expect(plan.scratch == 2 * Self.extent)
  }

  @Test("a residual that is read later keeps its memory") func residualInUseKeepsItsPlace() throws {
    let layers = try Self.convolutions(4)
    let shortcut = layers[0](.input(channels: 16))
    let sum = layers[2](layers[1](shortcut), adding: shortcut)
    let program = try Self.program(layers[3](sum, adding: shortcut))
    let plan = program.memoryPlan(forInput: Self.shape, threads: 1)
    #expect(
      try Self.offset(of: "c2", in: plan, program) != Self.offset(of: "c0", in: plan, program))
    #expect(plan.scratch == 3 * Self.extent)
  }

  /// A map that is overwritten too early would change the result.
  @Test("keeping intermediate maps changes no result") func resultsDoNotDependOnReuse() throws {
    let layers = try Self.convolutions(4)
    let x = Node.input(channels: 16)
    let shortcut = layers[0](x)
    let program = try Self.program(
      layers[3](layers[2](layers[1](shortcut), adding: shortcut), adding: shortcut))
    let input = Tensor(shape: Self.shape, elements: noise("x", Self.shape.elementCount))
    let plan = program.memoryPlan(forInput: Self.shape, threads: 1)
    let (output, kept) = try program.run(
      input, in: .init(plan), keeping: Set(program.valueNames).subtracting(["data"]))
    #expect(kept["c3"] == output)
    let first = try Self.program(shortcut)
    #expect(
      try first.run(input, in: .init(first.memoryPlan(forInput: Self.shape, threads: 1))).output
        == kept["c0"])
  }

  @Test("the allocator fills the lowest sufficient gap") func allocatorFillsTheLowestGap() {
    var allocator = WorkspaceAllocator()
    for value in 0..<3 { allocator.place(value, count: 32, insteadOf: nil) }
    allocator.release { $0 == 1 }
    allocator.place(3, count: 48, insteadOf: nil)
    allocator.place(4, count: 16, insteadOf: nil)
    allocator.place(5, count: 32, insteadOf: 0)
    #expect(allocator.offsets == [0: 0, 1: 32, 2: 64, 3: 96, 4: 32, 5: 0])
    #expect(allocator.top == 144)
  }
}
