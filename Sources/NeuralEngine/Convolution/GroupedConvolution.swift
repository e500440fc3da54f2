import CDepthSIMD
import DepthBase

/// A grouped 1×1 convolution: y = max(W · x + bias + residual, 0). Without a ReLU, there is no maximum.
///
/// Each group of output channels reads a separate group of input channels.
struct GroupedConvolution: Operation {
  let groups, inputChannels: Int
  let kernels: ConvolutionWeights
  let activation: Activation

  var kind: String { "1×1 in \(groups) groups" }
  var weights: [ConvolutionWeights] { [kernels] }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    input.require(channels: inputChannels)
    return input.with(channels: kernels.outputChannels)
  }

  func isNonnegative(_ channels: Range<Int>, reading source: Node) -> Bool {
    activation.isNonnegative
  }

  func prepared(_ preparation: Preparation) throws -> any PreparedOperation {
    try Packed(self, backend: preparation.backend, on: preparation.team)
  }

  private struct Packed: PreparedOperation {
    let layer: GroupedConvolution
    /// The weights of all groups, in one storage.
    let matrices: [PackedWeights]
    let bounds: [ChannelBounds]

    init(_ layer: GroupedConvolution, backend: GEMMBackend, on team: ThreadTeam) throws {
      self.layer = layer
      let depth = layer.inputChannels / layer.groups
      let columns = layer.kernels.outputChannels / layer.groups
      let count = PackedWeights.count(depth: depth, columns: columns, backend: backend)
      let storage = AlignedBuffer(count: layer.groups * count)
      let matrices = (0..<layer.groups).map {
        PackedWeights(
          depth: depth, columns: columns, backend: backend, storage: storage, offset: $0 * count)
      }
      self.matrices = matrices
      bounds = (0..<layer.groups).map { group in
        ChannelBounds(
          bias: Array(layer.kernels.bias[group * columns..<(group + 1) * columns]),
          activation: layer.activation)
      }
      let rows = layer.kernels.rows
      try team.forEachThrowing(layer.groups) { group in
        let matrix = matrices[group]
        for panel in 0..<matrix.panels {
          let part = matrix.columns(ofPanel: panel)
          let first = group * columns
          try unsafe rows(first + part.lowerBound..<first + part.upperBound)
            .withUnsafeBufferPointer { source in
              guard let source = source.baseAddress else { return }
              unsafe backend.kernels.pointee.network.pack_panel(
                depth, part.count, source, depth, 1, matrix.panel(panel), matrix.rowStride)
            }
        }
      }
    }

    func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
      ("1×1 \(layer.inputChannels)→\(layer.kernels.outputChannels) /\(layer.groups)", "1×1")
    }
    var weightBytes: Int { matrices.count * matrices[0].bytes }
    var addsSecond: Bool { true }

    func outputShape(for input: Tensor.Shape) -> Tensor.Shape { layer.outputShape(for: input) }

    func multiplyAdds(for input: Tensor.Shape) -> Int {
      input.rows * layer.kernels.outputChannels * layer.inputChannels / layer.groups
    }

    /// Pixels of one task.
    private static let pixelsPerTask = 192

    func run(_ run: LayerRun) {
      let (input, output, residual) = (run.input, run.output, run.second)
      precondition(
        output.shape == outputShape(for: input.shape)
          && residual.map { $0.shape == output.shape } ?? true, "y is \(output.shape)")
      let pixels = input.shape.rows
      let parts = (pixels + Self.pixelsPerTask - 1) / Self.pixelsPerTask
      nonisolated(unsafe) let base = unsafe run.workspace.base
      run.team.forEach(parts) { _, part in
        let range = part * pixels / parts..<(part + 1) * pixels / parts
        for (group, matrix) in matrices.enumerated() {
          let column = group * matrix.columns
          unsafe matrix.multiply(
            GEMMOperands(
              rows: pixels, a: base + input.offset + group * matrix.depth,
              aStride: input.pixelStride, c: base + output.offset + column,
              cStride: output.pixelStride,
              epilogue: bounds[group].epilogue(
                residual: residual.map { $0.channels(column..<column + matrix.columns) },
                in: run.workspace)
            ).rows(range), panels: 0..<matrix.panels)
        }
      }
    }
  }
}
