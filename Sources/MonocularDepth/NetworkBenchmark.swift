package import DepthBase
import DepthErrors
import DepthNetworks
package import NeuralEngine
import SystemEssentials

/// Times of a network on this machine.
package struct NetworkBenchmark: Sendable {
  /// A layer's shortest time in a third of the runs. Load by other programs can only increase times.
  package struct Layer: Sendable {
    package let name, shape, algorithm: String
    /// Height and width of the layer's input.
    package let inputHeight, inputWidth: Int
    package let duration: Duration
    /// Multiply–adds of the direct convolution, regardless of the actual algorithm.
    package let multiplyAdds: Int

    /// GFLOP/s, counting the operations of the direct convolution.
    package var effectiveGFLOPS: Double {
      let seconds = duration / .seconds(1)
      return seconds > 0 ? 2e-9 * Double(multiplyAdds) / seconds : 0
    }
  }

  package let backend: GEMMBackend
  package let precision: Arithmetic
  /// The instruction set of integer layers; `nil` for other precisions.
  package let integers: Int8InstructionSet?
  package let threads: Int
  /// The time to read and prepare the weights, and the time of the first run, which allocates memory.
  package let load, first: Duration
  /// The later runs of the whole batch, shortest first.
  package let runs: [Duration]
  package let layers: [Layer]
  package let workspaceBytes: Int

  package var median: Duration { runs[runs.count / 2] }

  /// The names of the back ends.
  package var names: (gemm: String, integers: String?) { (backend.description, integers?.name) }

  /// - Parameters:
  ///   - weights: One file, with the size of its network's input. All heads of the network run.
  ///   - threads: Number of threads, 1…256; by default one per processor.
  ///   - height: Rows of the input, 1…8192; by default those of the weights.
  ///   - width: Columns of the input, 1…8192; by default those of the weights.
  ///   - batch: Images per run, 1…1024.
  ///   - runs: Measured runs, 1…100 000; three more warm up.
  /// - Throws: `DepthError`; code `invalidArgument` for a number out of range.
  package init(
    _ weights: WeightsSelection, backend: GEMMBackend, precision: Precision = .auto, threads: Int?,
    height: Int? = nil, width: Int? = nil, batch: Int = 1, runs: Int
  ) throws {
    try runs.checked(in: 1...100_000, "the number of runs", "1 to 100000")
    try batch.checked(in: 1...1024, "the number of images per run", "1 to 1024")
    for side in [height, width].compactMap({ $0 }) {
      try side.checked(in: 1...8192, "a side of the input", "1 to 8192 pixels")
    }
    let threads = try ThreadCount.checked(threads)
    try InstructionSet.checkEnvironment()
    let clock = ContinuousClock()
    let start = clock.now
    let network = try LoadedNetwork(
      weights.sources()[0].opened(kind: weights.kind, givesNormals: true),
      call: CallContext(threads: threads), backend: backend, precision: precision,
      selection: weights)
    (self.precision, integers) = (network.precision, network.program.int8)
    load = clock.now - start
    let memory = MemoryPool()
    let usual = network.benchmarkSize
    let shape = Tensor.Shape(
      count: batch, height: height ?? usual.height, width: width ?? usual.width, channels: 3)
    try network.check(shape)
    workspaceBytes = network.program.memoryPlan(forInput: shape, threads: threads).bytes
    // The input is stored as bytes and as floats.
    try MemoryNeed(bytes: workspaceBytes + 5 * shape.elementCount)
      .require(for: "a run of \(shape.count) × \(shape.width)×\(shape.height)")
    // Values have no effect on the time, except denormals and zeros.
    let input = Tensor(
      shape: shape,
      elements: (0..<shape.elementCount).map { Float(($0 &* 2_654_435_761) >> 7 & 255) })
    first = try clock.measure {
      _ = try network.output(of: input, threads: threads, memory: memory)
    }
    for _ in 0..<2 { _ = try network.output(of: input, threads: threads, memory: memory) }

    var durations: [Duration] = []
    for _ in 0..<runs {
      durations.append(
        try clock.measure { _ = try network.output(of: input, threads: threads, memory: memory) })
    }
    var fastest: [Program.LayerReport] = []
    for _ in 0..<max(runs / 3, 1) {
      var reports: [Program.LayerReport] = []
      _ = try network.output(
        of: input, threads: threads, memory: memory, observe: { reports.append($0) })
      fastest =
        fastest.isEmpty
        ? reports : zip(fastest, reports).map { $0.duration < $1.duration ? $0 : $1 }
    }
    self.backend = backend
    self.threads = threads
    self.runs = durations.sorted()
    layers = fastest.map { report in
      Layer(
        name: report.layer, shape: report.shape, algorithm: report.algorithm,
        inputHeight: report.input.height, inputWidth: report.input.width,
        duration: report.duration, multiplyAdds: report.multiplyAdds)
    }
  }
}

extension LoadedNetwork {
  /// Rows and columns of the measured input: those for a landscape photo, or the usual square for networks that keep
  /// proportions.
  fileprivate var benchmarkSize: (height: Int, width: Int) {
    switch rule {
    case .stretched: inputSize
    case .proportional(let side, _, .max): (side, side)
    case .proportional, .patches: inputSize
    }
  }

  /// - Throws: `DepthError` for an input that the network does not support.
  fileprivate func check(_ input: Tensor.Shape) throws {
    let unit =
      switch configuration {
      case .depthAnything: DepthAnythingConfiguration.patch
      case .zipDepth: ZipDepthConfiguration.cell
      case .moGe2: MoGe2Configuration.patch
      case .fcrn(let fcrn): fcrn.hasSkipConnections ? FCRNConfiguration.cell : 1
      }
    guard input.height % unit != 0 || input.width % unit != 0 else { return }
    throw DepthError.invalidArgument(
      name: "the size of the input", found: "\(input.width)×\(input.height)",
      expected: "multiples of \(unit)")
  }
}
