import CDepthSIMD
import DepthBase

/// An 8-bit convolution of a float map whose scale is measured per image during the run. It is for weights without calibrated
/// scales. The result and the residual are floats.
///
/// Values are quantized to 0 … 255, or around 128 if they can be negative. The largest magnitude becomes the largest quantized
/// value. Integer sums are exact, and each later operation rounds separately, so the result does not depend on the instruction
/// set.
///
/// > Source: R. Krishnamoorthi. “Quantizing deep convolutional networks for efficient inference.” 2018.
/// > [arXiv:1806.08342](https://arxiv.org/abs/1806.08342), sections 2.2 and 3.1: symmetric quantization per channel of weights,
/// > activations per layer.
struct MeasuredConvolution: PreparedOperation {
  private let geometry: ConvolutionGeometry
  /// The convolution of a map of scale 1.
  private let convolution: QuantizedConvolution
  private let zeroPoint: UInt8
  private let instructionSet: Int8InstructionSet

  /// - Parameters:
  ///   - kernels: Reads the kernels of some output channels.
  ///   - bias: One value per output channel.
  ///   - isNonnegative: Whether no value of the map can be negative.
  /// - Throws: Errors of `kernels`.
  init(
    _ geometry: ConvolutionGeometry, kernels: @escaping QuantizedRows, bias: [Float],
    activation: Activation, isNonnegative: Bool, instructionSet: Int8InstructionSet,
    on team: ThreadTeam
  ) throws {
    (self.geometry, self.instructionSet) = (geometry, instructionSet)
    zeroPoint = isNonnegative ? 0 : 128
    var packing = DeferredPacking()
    convolution = QuantizedConvolution(
      geometry, kernels: kernels, bias: bias, activation: activation,
      maps: MapQuantizations(input: MapQuantization(scale: 1, zeroPoint: zeroPoint), output: nil),
      instructionSet: instructionSet, packing: &packing)
    try packing.run(on: team)
  }

  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    (geometry.description, convolution.description(for: input).algorithm)
  }

  var weightBytes: Int { convolution.weightBytes }
  var addsSecond: Bool { true }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { geometry.outputShape(for: input) }

  func multiplyAdds(for input: Tensor.Shape) -> Int { convolution.multiplyAdds(for: input) }

  /// The scratch offsets of one image's quantized values, the output channels' factors, and the rows' largest magnitudes.
  private func scratch(
    for input: Tensor.Shape, at offset: Int
  ) -> (quantized: QuantizedMap, factors: Int, magnitudes: Int, end: Int) {
    var shape = input
    shape.count = 1
    let quantized = QuantizedMap(
      shape: shape, offset: offset, border: geometry.largestPadding)
    let factors = offset + Workspace.aligned(quantized.extent)
    let magnitudes = factors + Workspace.aligned(requantization.multiplier.count)
    return (quantized, factors, magnitudes, magnitudes + Workspace.aligned(input.height))
  }

  private var requantization: Requantization { convolution.kernels[0].requantization }

  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
    var image = input
    image.count = 1
    return scratch(for: input, at: 0).end + convolution.scratchCount(for: image, threads: threads)
  }

  func run(_ run: LayerRun) {
    let (input, output) = (run.input, run.output)
    precondition(
      output.shape == outputShape(for: input.shape),
      "y is \(output.shape), expected \(outputShape(for: input.shape))")
    let place = scratch(for: input.shape, at: run.scratch)
    for index in 0..<input.shape.count {
      let image = input.image(index)
      let top = largest(of: image, into: place.magnitudes, in: run)
      let scale = top > 0 ? top / (zeroPoint == 0 ? 255 : 127) : 1
      Quantization(
        quantization: MapQuantization(scale: scale, zeroPoint: zeroPoint),
        instructionSet: instructionSet
      ).run(
        LayerRun(
          inputMap: .floats(image), secondMap: nil, outputMap: .quantized(place.quantized),
          scratch: run.scratch, workspace: run.workspace, backend: run.backend, team: run.team))
      if geometry.border == .repeated { run.workspace.repeatBorder(of: place.quantized) }
      let factors = unsafe run.workspace.base + place.factors
      let multiplier = requantization.multiplier
      for channel in 0..<multiplier.count {
        unsafe factors[channel] = multiplier.base[channel] * scale
      }
      unsafe convolution.run(
        place.quantized,
        measured: .init(multiplier: factors, added: run.second?.image(index)),
        into: .floats(output.image(index)), scratch: place.end, in: run.workspace, on: run.team)
    }
  }

  /// The largest magnitude of one image.
  private func largest(of image: FeatureMap, into magnitudes: Int, in run: LayerRun) -> Float {
    let (width, channels) = (image.shape.width, image.shape.channels)
    nonisolated(unsafe) let base = unsafe run.workspace.base
    let largest = unsafe instructionSet.kernels.pointee.largest
    // If pixels have no gaps, a line is one run.
    let (runs, count) = image.pixelStride == channels ? (1, width * channels) : (width, channels)
    run.team.forEach(image.shape.height) { _, row in
      let line = unsafe base + image.offset + row * width * image.pixelStride
      var top: Float = 0
      for run in 0..<runs { top = max(top, unsafe largest(count, line + run * image.pixelStride)) }
      unsafe base[magnitudes + row] = top
    }
    return (0..<image.shape.height).reduce(0) { max($0, unsafe base[magnitudes + $1]) }
  }
}
