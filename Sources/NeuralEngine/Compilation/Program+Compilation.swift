package import DepthBase

extension Node {
  /// Compiles the network that ends in this node, by choosing an algorithm for each layer and packing its weights.
  ///
  /// - Parameters:
  ///   - input: The usual shape of the input, for which algorithms are chosen. Other shapes also run.
  ///   - backend: The matrix-multiplication back end.
  ///   - int8: The instruction set of integer layers, that is, of layers with scales in the archive. With `nil`, all
  ///     layers compute with floats.
  ///   - keepsWeights: Whether float layers keep their packed weights. Otherwise the weights are packed in the
  ///     workspace before each run of the layer. A program that runs once then requires far less memory. Kernels that
  ///     an archive can only read whole are always kept.
  ///   - call: The context whose threads read and transform weights. It can be cancelled between kernels.
  /// - Throws: `DepthError` when a kernel cannot be read or is not finite; `CancellationError`.
  package func compiled(
    forInput input: Tensor.Shape, backend: GEMMBackend, int8: Int8InstructionSet? = nil,
    keepsWeights: Bool = true, call: CallContext
  ) throws -> Program {
    try ThreadTeam.run(threads: call.threads) { team in
      let nodes = ordered()
      // In a transformer, float layers do most of the work, and their exponentials may differ between processors
      // anyway.
      let backend = int8 == nil || hasTokens ? backend : backend.besideIntegers
      let plan = try int8 == nil ? QuantizationPlan() : QuantizationPlan(nodes)
      var compiler = Compiler(
        input: input, backend: backend, int8: int8, plan: plan, nodes: nodes,
        keepsWeights: keepsWeights)
      var readAhead = ReadAhead(nodes)
      for (index, node) in nodes.enumerated() {
        try call.checkpoint(Double(index) / Double(nodes.count))
        try readAhead.reach(node, call: call, on: team)
        try compiler.add(node, on: team)
        // Packs decompressed kernels before the next kernels are decompressed, to bound memory.
        if node.weights.contains(where: { $0.readAheadCount > 0 }) {
          try compiler.packing.run(cancellation: call.cancellation, on: team)
        }
        for weights in node.weights { weights.forget() }
      }
      try compiler.packing.run(cancellation: call.cancellation, on: team)
      return Program(
        values: compiler.values, layers: compiler.layers, output: compiler.output, backend: backend,
        int8: int8)
    }
  }
}

/// Decompresses the kernels of the next layers in parallel.
private struct ReadAhead {
  /// Maximum number of values that are decompressed ahead, unless one layer has more.
  private static let largestCount = 8 << 20
  private var pending: ArraySlice<Node>
  private var ready: Set<ObjectIdentifier> = []

  init(_ nodes: [Node]) { pending = nodes[...] }

  /// Reads a group of layers when compilation reaches the first layer of the group.
  ///
  /// - Throws: `DepthError` when a kernel cannot be read; `CancellationError`.
  mutating func reach(_ node: Node, call: CallContext, on team: ThreadTeam) throws {
    guard !ready.contains(ObjectIdentifier(node)) else { return }
    var group: [ConvolutionWeights] = []
    var count = 0
    while let next = pending.first, group.isEmpty || count < Self.largestCount {
      pending.removeFirst()
      ready.insert(ObjectIdentifier(next))
      let packed = next.weights.filter { $0.readAheadCount > 0 }
      count += packed.reduce(0) { $0 + $1.readAheadCount }
      group += packed
    }
    let weights = group
    try team.forEachThrowing(weights.count) { index in
      try call.cancellation?.check()
      try weights[index].readAhead()
    }
  }
}
