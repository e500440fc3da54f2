import DepthBase

/// A convolution with its weights packed for one algorithm:
/// y = min(max(W ∗ x + bias + residual, lower bound), upper bound).
///
/// Shapes: input `n × h × w × inputChannels`, output as ``ConvolutionGeometry/outputShape(for:)``.
struct Convolution: Sendable {
  let geometry: ConvolutionGeometry
  let algorithm: ConvolutionAlgorithm
  private let prepared: Prepared
  /// The activation that runs after the algorithm; `none` if the algorithm includes the activation.
  private let activation: Activation
  private let instructionSet: InstructionSet

  private enum Prepared: Sendable {
    case direct(DirectConvolution)
    case winograd(WinogradConvolution)
    case tapSum(TapSumConvolution)
  }

  /// Packs the weights.
  ///
  /// - Parameters:
  ///   - kernels: Reads the kernels of some output channels in OIHW order.
  ///   - bias: One value per output channel.
  ///   - activation: The function that follows the convolution.
  ///   - algorithm: One of ``ConvolutionAlgorithm/applicable(to:)``.
  ///   - backend: The matrix-multiplication back end.
  ///   - place: The memory for the weights. A sum of taps always allocates its own memory.
  ///   - team: The threads that pack.
  /// - Throws: Errors of `kernels`.
  init(
    _ geometry: ConvolutionGeometry, kernels: @escaping KernelRows, bias: [Float],
    activation: Activation,
    algorithm: ConvolutionAlgorithm, backend: GEMMBackend, place: WeightPlace = .own,
    on team: ThreadTeam
  ) throws {
    precondition(
      bias.count == geometry.outputChannels,
      "\(bias.count) biases, expected \(geometry.outputChannels)")
    self.geometry = geometry
    self.algorithm = algorithm
    instructionSet = backend.instructionSet
    let bounds = ChannelBounds(bias: bias, activation: activation)
    let includesGELU = algorithm == .pointwise || algorithm == .im2col
    self.activation = activation == .gelu && includesGELU ? .none : activation
    switch algorithm {
    case .pointwise, .im2col:
      prepared = .direct(
        try DirectConvolution(
          geometry, kernels: kernels, bounds: bounds, appliesGELU: activation == .gelu,
          backend: backend, place: place, on: team))
    case .winograd(let tile):
      let weights = try WinogradWeights(
        tile: tile, rows: tile + 2, columns: tile + 2, inputChannels: geometry.inputChannels,
        outputChannels: geometry.outputChannels,
        parts: [
          .init(kernelHeight: 3, kernelWidth: 3, firstRow: 0, firstColumn: 0, kernels: kernels)
        ], backend: backend, place: place, on: team)
      prepared = .winograd(
        WinogradConvolution(
          form: .convolution, border: geometry.border, weights: weights, bounds: bounds))
    case .tapSum:
      prepared = .tapSum(
        try TapSumConvolution(
          inputChannels: geometry.inputChannels, kernels: kernels, bias: bias,
          activation: activation, backend: backend))
    }
  }

  /// Bytes of the packed weights.
  var weightBytes: Int {
    switch prepared {
    case .direct(let direct): direct.matrix.bytes
    case .winograd(let winograd): winograd.weights.bytes
    case .tapSum(let tapSum): tapSum.matrix.bytes
    }
  }

  /// Floats of scratch for one run.
  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
    switch prepared {
    case .direct(let direct): direct.scratchCount(for: input, threads: threads)
    case .winograd(let winograd): winograd.scratchCount(for: input, threads: threads)
    case .tapSum(let tapSum): tapSum.scratchCount(for: input)
    }
  }

  /// Computes one result.
  ///
  /// - Parameters:
  ///   - input: The map to read, `n × h × w × inputChannels`.
  ///   - residual: A map of the output's shape that is added before the activation.
  ///   - output: The map to write, which may be `residual` itself.
  ///   - scratch: Offset of at least ``scratchCount(for:threads:)`` otherwise unused floats.
  /// - Precondition: The shapes fit together.
  func run(
    _ input: FeatureMap, adding residual: FeatureMap? = nil, into output: FeatureMap, scratch: Int,
    in workspace: Workspace, on team: ThreadTeam
  ) {
    precondition(
      output.shape == geometry.outputShape(for: input.shape),
      "y is \(output.shape), expected \(geometry.outputShape(for: input.shape))")
    precondition(
      residual.map { $0.shape == output.shape } ?? true, "the residual has another shape")
    switch prepared {
    case .direct(let direct):
      direct.run(
        input, residual: residual, output: output, scratch: scratch, in: workspace, on: team)
    case .winograd(let winograd):
      winograd.run(
        input, residual: residual, output: output, scratch: scratch, in: workspace, on: team)
    case .tapSum(let tapSum):
      precondition(residual == nil, "a sum of taps takes no residual")
      tapSum.run(input, output: output, scratch: scratch, in: workspace, on: team)
    }
    activation.run(output, on: instructionSet, in: workspace, on: team)
  }
}

extension Convolution {
  /// Computes the result from the output of a convolution on quantized maps. This output is not stored; see
  /// ``QuantizedConvolutionPair``.
  ///
  /// - Precondition: The algorithm is a sum of taps.
  func run(
    onResultOf first: QuantizedConvolution, of input: QuantizedMap, adding residual: QuantizedMap?,
    into output: FeatureMap, scratch: Int, in workspace: Workspace, on team: ThreadTeam
  ) {
    guard case .tapSum(let tapSum) = prepared else {
      preconditionFailure("a convolution of strips by \(algorithm), expected a sum of taps")
    }
    tapSum.run(
      onResultOf: first, of: input, adding: residual, output: output, scratch: scratch,
      in: workspace, on: team)
    activation.run(output, on: instructionSet, in: workspace, on: team)
  }

  /// Floats of scratch for one run on the result of a convolution on quantized maps.
  func scratchCount(
    forResultOf first: QuantizedConvolution, of input: Tensor.Shape, threads: Int
  ) -> Int {
    guard case .tapSum(let tapSum) = prepared else { return 0 }
    return tapSum.scratchCount(forResultOf: first, of: input, threads: threads)
  }
}

extension Convolution: PreparedOperation {
  var addsSecond: Bool { true }

  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    (geometry.description, algorithm.description)
  }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { geometry.outputShape(for: input) }

  func multiplyAdds(for input: Tensor.Shape) -> Int {
    geometry.multiplyAdds(for: outputShape(for: input))
  }

  func run(_ run: LayerRun) {
    self.run(
      run.input, adding: run.second, into: run.output, scratch: run.scratch, in: run.workspace,
      on: run.team)
  }
}
