import DepthBase

extension Node {
  /// Whether it is a linear layer of tokens.
  var readsTokens: Bool {
    if case .convolution(let step) = operation { step.readsTokens } else { false }
  }

  /// The layer on floats.
  ///
  /// - Parameters:
  ///   - shape: The usual shape of what it reads.
  ///   - place: Where its weights go.
  /// - Throws: `DepthError` when a kernel cannot be read or is not finite.
  func floatOperation(
    reading shape: Tensor.Shape, backend: GEMMBackend, bfloat16: BFloat16InstructionSet?,
    place: WeightPlace, on team: ThreadTeam
  ) throws -> Program.Operation {
    switch operation {
    case .convolution(let step):
      .convolution(
        try step.prepared(
          forInput: shape, addsMap: inputs.count > 1, backend: backend, bfloat16: bfloat16,
          place: place, on: team))
    case .upConvolution(let step):
      .upConvolution(
        try step.prepared(forInput: shape, backend: backend, place: place, on: team))
    case .maxPool: .maxPool(MaxPooling(backend: backend))
    case .depthwise(let step): .depthwise(try step.prepared(on: backend.instructionSet))
    case .globalContext(let step): .globalContext(try step.prepared())
    case .float(let layer):
      .float(
        try layer.prepared(forInput: shape, backend: backend, bfloat16: bfloat16, on: team))
    case .input, .slice: preconditionFailure("\(layer) computes nothing")
    }
  }

  /// What packs the weights of the layer on floats before a run of it.
  ///
  /// - Parameter shape: The usual shape of what it reads.
  func packing(reading shape: Tensor.Shape, backend: GEMMBackend) -> Program.Packing {
    { place, team in
      try self.floatOperation(
        reading: shape, backend: backend, bfloat16: nil, place: place, on: team)
    }
  }
}

extension Node.Operation {
  /// Whether its kernels can be read again for each run, a few channels at a time, and are large enough for it to matter.
  var canPackLate: Bool {
    switch self {
    case .convolution, .upConvolution: weights.allSatisfy { $0.readAheadCount == 0 }
    case .input, .maxPool, .depthwise, .globalContext, .float, .slice: false
    }
  }
}
