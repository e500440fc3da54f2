import CDepthSIMD
import DepthBase

/// A linear layer of tokens as a product of 8-bit quantized values. Each output channel of the weights has one scale. Each
/// token has one scale, which is measured in each run.
///
/// Integer sums are exact, and each later operation rounds separately, so the result does not depend on the instruction set.
///
/// > Source: T. Dettmers et al. “LLM.int8(): 8-bit Matrix Multiplication for Transformers at Scale.” NeurIPS 2022.
/// > [arXiv:2208.07339](https://arxiv.org/abs/2208.07339), section 2.1.
struct QuantizedTokenProduct: PreparedOperation {
  private let geometry: ConvolutionGeometry
  private let kernel: QuantizedKernel
  private let bounds: ChannelBounds
  private let appliesGELU: Bool
  private let instructionSet: Int8InstructionSet

  /// Zero is 128 in the kernel's unsigned quantized values. The token's scale is applied after the sum.
  private static let quantization = MapQuantization(scale: 1, zeroPoint: 128)

  /// - Throws: Errors of `kernels`.
  init(
    _ geometry: ConvolutionGeometry, kernels: @escaping QuantizedRows, bias: [Float],
    activation: Activation, instructionSet: Int8InstructionSet, on team: ThreadTeam
  ) throws {
    precondition(geometry.taps == 1 && geometry.stride == 1, "\(geometry), expected 1×1")
    precondition(activation == .none || activation == .gelu, "\(activation), expected a GELU")
    (self.geometry, self.instructionSet) = (geometry, instructionSet)
    var packing = DeferredPacking()
    kernel = QuantizedKernel(
      KernelPlace(geometry), inputChannels: geometry.inputChannels,
      outputChannels: geometry.outputChannels, kernels: kernels,
      bias: [Float](repeating: 0, count: geometry.outputChannels), input: Self.quantization,
      output: nil,
      residual: nil, for: instructionSet, packing: &packing)
    try packing.run(on: team)
    bounds = ChannelBounds(bias: bias, activation: .none)
    appliesGELU = activation == .gelu
  }

  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    (geometry.description, "int8")
  }

  var weightBytes: Int { kernel.bytes }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { geometry.outputShape(for: input) }

  func multiplyAdds(for input: Tensor.Shape) -> Int {
    geometry.multiplyAdds(for: outputShape(for: input))
  }

  /// Bytes from token to token of quantized values. Quads are complete, and the number is no power of two.
  private var tokenStride: Int {
    let bytes = (geometry.inputChannels + 63) / 64 * 64
    return bytes % 512 == 0 ? bytes + 64 : bytes
  }

  /// Quantized values and scales of all tokens.
  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
    input.rows * tokenStride / 4 + Workspace.aligned(input.rows)
  }

  /// Tokens per quantization task and per multiplication task: eight row blocks of the kernel.
  private static let tokensPerBlock = 96
  /// Panels per task. The results of a block stay in the second-level cache until the GELU.
  private static let panelsPerTask = 8

  func run(_ run: LayerRun) {
    let (input, output) = (run.input, run.output)
    precondition(
      output.shape == geometry.outputShape(for: input.shape), "y is \(output.shape)")
    let (tokens, channels, tokenStride) = (input.shape.rows, geometry.inputChannels, tokenStride)
    nonisolated(unsafe) let base = unsafe run.workspace.base
    nonisolated(unsafe) let scales = unsafe base + run.scratch
    nonisolated(unsafe) let values = unsafe UnsafeMutableRawPointer(
      scales + Workspace.aligned(tokens)
    ).bindMemory(to: UInt8.self, capacity: tokens * tokenStride)
    let blocks = (tokens + Self.tokensPerBlock - 1) / Self.tokensPerBlock
    @Sendable func rows(_ block: Int) -> Range<Int> {
      block * tokens / blocks..<(block + 1) * tokens / blocks
    }
    let quantize = unsafe instructionSet.kernels.pointee.quantize_tokens
    run.team.forEach(blocks) { _, block in
      let rows = rows(block)
      unsafe quantize(
        rows.count, channels, base + input.offset + rows.lowerBound * input.pixelStride,
        input.pixelStride, values + rows.lowerBound * tokenStride, tokenStride,
        scales + rows.lowerBound)
    }
    let groups = (kernel.panels + Self.panelsPerTask - 1) / Self.panelsPerTask
    nonisolated(unsafe) let epilogue = unsafe bounds.epilogue(
      residual: run.second, in: run.workspace)
    run.team.forEach(groups * blocks) { _, task in
      let (group, block) = task.quotientAndRemainder(dividingBy: blocks)
      let first = group * Self.panelsPerTask
      unsafe multiply(
        rows(block), panels: first..<min(first + Self.panelsPerTask, kernel.panels),
        values: values, scales: scales, into: base + output.offset, stride: output.pixelStride,
        epilogue)
    }
  }

  /// The results of some tokens and some panels.
  @unsafe private func multiply(
    _ rows: Range<Int>, panels: Range<Int>, values: UnsafePointer<UInt8>,
    scales: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, stride: Int,
    _ whole: ck_epilogue
  ) {
    let width = unsafe Int(instructionSet.kernels.pointee.panel_width)
    let column = panels.lowerBound * width
    let columns = min(panels.upperBound * width, geometry.outputChannels) - column
    let requantization = kernel.requantization
    let weights =
      unsafe (UnsafeRawPointer(kernel.weights.base)
      + panels.lowerBound * kernel.panelBytes).assumingMemoryBound(to: Int8.self)
    let initial = unsafe UnsafeRawPointer(requantization.initial.base + column)
      .assumingMemoryBound(to: Int32.self)
    let bias = unsafe UnsafePointer(bounds.bias.base + column)
    // Tokens have no lower bound, so the pointer may have any value.
    let sums = unsafe ck_int8_epilogue(
      multiplier: requantization.multiplier.base + column, offset: bias, lower_bound: bias,
      residual: nil,
      residual_pixel_stride: 0, residual_line_stride: 0, residual_scale: 0,
      added: nil, added_pixel_stride: 0, added_line_stride: 0, upper_bound: 0,
      quantization_factor: 0, quantization_offset: 0, lower_is_zero: false)
    let tokens = unsafe ck_token_epilogue(
      applies: true, scales: scales + rows.lowerBound,
      added: whole.residual.map {
        unsafe $0 + rows.lowerBound * whole.residual_stride + column
      }, added_stride: whole.residual_stride)
    let results = unsafe output + rows.lowerBound * stride + column
    unsafe withUnsafePointer(to: 0) { offset in
      var call = unsafe ck_int8_convolution(
        lines: 1, pixels: rows.count, columns: columns, segments: 1,
        quads: (geometry.inputChannels + 3) / 4, x: values + rows.lowerBound * tokenStride,
        x_pixel_stride: tokenStride, x_line_stride: 0, offsets: offset, weights: weights,
        initial: initial, y: results, y_pixel_stride: stride, y_line_stride: 0,
        writes_floats: true, epilogue: sums, tokens: tokens)
      unsafe instructionSet.kernels.pointee.convolution(&call)
    }
    guard appliesGELU else { return }
    unsafe instructionSet.vectors.kernels.pointee.network.gelu(
      rows.count, columns, results, stride)
  }
}
