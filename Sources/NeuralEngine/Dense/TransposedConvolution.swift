import CDepthSIMD
import DepthBase

/// A transposed convolution whose kernel is as large as its stride k. Each pixel becomes a block of k × k pixels, by one matrix
/// for each position in the block.
///
/// Input `n × h × w × inputChannels`, output `n × k·h × k·w × outputChannels`.
struct TransposedConvolution: Operation {
  let stride, inputChannels: Int
  let kernels: ConvolutionWeights

  var kind: String { "\(stride)×\(stride)ᵀ" }
  var weights: [ConvolutionWeights] { [kernels] }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    input.require(channels: inputChannels)
    return Tensor.Shape(
      count: input.count, height: stride * input.height, width: stride * input.width,
      channels: kernels.outputChannels)
  }

  func prepared(_ preparation: Preparation) throws -> any PreparedOperation {
    try Packed(self, backend: preparation.backend, on: preparation.team)
  }

  private struct Packed: PreparedOperation {
    let layer: TransposedConvolution
    /// The weights of all positions in the block, row by row, in one storage.
    let matrices: [PackedWeights]
    let bounds: ChannelBounds

    init(_ layer: TransposedConvolution, backend: GEMMBackend, on team: ThreadTeam) throws {
      self.layer = layer
      bounds = ChannelBounds(bias: layer.kernels.bias, activation: .none)
      let (inputs, outputs) = (layer.inputChannels, layer.kernels.outputChannels)
      let taps = layer.stride * layer.stride
      let count = PackedWeights.count(depth: inputs, columns: outputs, backend: backend)
      let storage = AlignedBuffer(count: taps * count)
      let matrices = (0..<taps).map {
        PackedWeights(
          depth: inputs, columns: outputs, backend: backend, storage: storage, offset: $0 * count)
      }
      self.matrices = matrices
      let rows = layer.kernels.rows
      try team.forEachThrowing(matrices[0].panels) { panel in
        let columns = matrices[0].columns(ofPanel: panel)
        try unsafe rows(columns).withUnsafeBufferPointer { source in
          guard let source = source.baseAddress else { return }
          for (tap, matrix) in matrices.enumerated() {
            unsafe backend.kernels.pointee.network.pack_panel(
              inputs, columns.count, source + tap, inputs * taps, taps, matrix.panel(panel),
              matrix.rowStride)
          }
        }
      }
    }

    func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
      (
        "\(layer.stride)×\(layer.stride)ᵀ \(layer.inputChannels)→\(layer.kernels.outputChannels)",
        "product"
      )
    }
    var weightBytes: Int { matrices.count * matrices[0].bytes }

    func outputShape(for input: Tensor.Shape) -> Tensor.Shape { layer.outputShape(for: input) }

    func multiplyAdds(for input: Tensor.Shape) -> Int {
      outputShape(for: input).elementCount * layer.inputChannels
    }

    func run(_ run: LayerRun) {
      let (input, output, stride) = (run.input, run.output, layer.stride)
      let width = input.shape.width
      nonisolated(unsafe) let base = unsafe run.workspace.base
      nonisolated(unsafe) let epilogue = unsafe bounds.epilogue(residual: nil, in: run.workspace)
      run.team.forEach(input.shape.count * input.shape.height) { _, row in
        let x = unsafe base + input.offset + row * width * input.pixelStride
        for (tap, matrix) in matrices.enumerated() {
          let (line, column) = tap.quotientAndRemainder(dividingBy: stride)
          let pixel = (row * stride + line) * width * stride + column
          unsafe matrix.multiply(
            GEMMOperands(
              rows: width, a: x, aStride: input.pixelStride,
              c: base + output.offset + pixel * output.pixelStride,
              cStride: stride * output.pixelStride, epilogue: epilogue),
            panels: 0..<matrix.panels)
        }
      }
    }
  }
}
