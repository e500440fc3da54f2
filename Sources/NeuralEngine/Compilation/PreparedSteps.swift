import DepthBase

extension ConvolutionStep {
  /// The layer on floats, which it rounds first where that is faster.
  ///
  /// - Parameters:
  ///   - addsMap: Whether a map is added to the result.
  ///   - bfloat16: The instruction set of bfloat16, where the layer may be rounded.
  /// - Throws: `DepthError` when a kernel cannot be read or is not finite.
  func prepared(
    forInput input: Tensor.Shape, addsMap: Bool, backend: GEMMBackend,
    bfloat16: BFloat16InstructionSet?, place: WeightPlace, on team: ThreadTeam
  ) throws -> Convolution {
    try Convolution(
      geometry, kernels: weights.rows, bias: weights.bias, activation: activation,
      algorithm: .best(
        for: geometry, input: input, bfloat16: bfloat16, addsMap: addsMap),
      backend: backend, place: place, on: team)
  }

  /// The layer on 8-bit codes.
  ///
  /// - Parameter packing: Packs its kernels, and throws `DepthError` when one cannot be read or is not finite.
  /// - Throws: `DepthError` when the steps cannot be read.
  func prepared(
    codes: CodeConvolution.Codes, instructionSet: CodeInstructionSet,
    packing: inout DeferredPacking
  ) throws -> CodeConvolution {
    CodeConvolution(
      geometry, kernels: try weights.codes(), bias: weights.bias, activation: activation,
      codes: codes, instructionSet: instructionSet, packing: &packing)
  }
}

extension UpConvolutionStep {
  /// The layer on floats, which it rounds first where that is faster.
  ///
  /// - Throws: `DepthError` when a kernel cannot be read or is not finite.
  func prepared(
    forInput input: Tensor.Shape, backend: GEMMBackend, place: WeightPlace, on team: ThreadTeam
  ) throws -> UpConvolution {
    let rows = phases.indices.map { self.rows(of: UpConvolution.Phase.allCases[$0]) }
    return try UpConvolution(
      inputChannels: inputChannels, outputChannels: outputChannels, padding: padding,
      kernels: { rows[$0.index] }, bias: bias, reluChannels: reluChannels,
      algorithm: .best(forUpConvolution: input),
      backend: backend, place: place, on: team)
  }

  /// The layer on 8-bit codes.
  ///
  /// - Parameters:
  ///   - output: The codes of each output channel; `nil` for floats.
  ///   - packing: Packs its kernels, and throws `DepthError` when one cannot be read or is not finite.
  /// - Throws: `DepthError` when the steps cannot be read.
  func prepared(
    input: MapCodes, output: [MapCodes]?, instructionSet: CodeInstructionSet,
    packing: inout DeferredPacking
  ) throws -> CodeConvolution {
    let codes = try UpConvolution.Phase.allCases.map { try self.codes(of: $0) }
    return CodeConvolution(
      upConvolution: padding, inputChannels: inputChannels, outputChannels: outputChannels,
      kernels: { codes[$0.index] }, bias: bias, reluChannels: reluChannels, input: input,
      output: output, instructionSet: instructionSet, packing: &packing)
  }

  /// Four rows of `outputChannels`.
  private var bias: [Float] { phases.flatMap { $0.flatMap(\.bias) } }

  /// Reads the kernels of all branches as codes, concatenated along the output channels.
  private func codes(of phase: UpConvolution.Phase) throws -> KernelCodes {
    let branches = try phases[phase.index].map {
      (channels: $0.outputChannels, codes: try $0.codes())
    }
    return { range in
      var result: (codes: [Int8], steps: [Double]) = ([], [])
      var first = 0
      for branch in branches {
        let part = range.clamped(to: first..<first + branch.channels)
        if !part.isEmpty {
          let read = try branch.codes(part.lowerBound - first..<part.upperBound - first)
          result.codes += read.codes
          result.steps += read.steps
        }
        first += branch.channels
      }
      return result
    }
  }
}

extension DepthwiseStep {
  /// The layer on floats.
  ///
  /// - Throws: `DepthError` when the kernel cannot be read or is not finite.
  func prepared(on instructionSet: InstructionSet) throws -> DepthwiseConvolution {
    try DepthwiseConvolution(
      geometry, kernels: weights.rows, bias: weights.bias, activation: activation,
      instructionSet: instructionSet)
  }

  /// The layer on 8-bit codes.
  ///
  /// - Parameter packing: Packs its kernels, and throws `DepthError` when one cannot be read or is not finite.
  /// - Throws: `DepthError` when the steps cannot be read.
  func prepared(
    codes: CodeConvolution.Codes, instructionSet: CodeInstructionSet,
    packing: inout DeferredPacking
  ) throws -> CodeDepthwiseConvolution {
    CodeDepthwiseConvolution(
      geometry, kernels: try weights.codes(), bias: weights.bias, activation: activation,
      codes: codes, instructionSet: instructionSet, packing: &packing)
  }
}

extension GlobalContextStep {
  /// The layer on floats.
  ///
  /// - Throws: `DepthError` when the kernel cannot be read or is not finite.
  func prepared() throws -> GlobalContext {
    try GlobalContext(channels: channels, kernels: weights.rows, bias: weights.bias)
  }
}
