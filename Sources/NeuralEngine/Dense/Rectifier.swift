import DepthBase

/// max(x, 0) as a separate operation, for maps that are also read without the bound.
struct Rectifier: Operation, PreparedOperation {
  var kind: String { "relu" }
  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    ("relu", "max")
  }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { input }

  func isNonnegative(_ channels: Range<Int>, reading source: Node) -> Bool { true }

  /// Pixels of one task.
  private static let pixelsPerTask = 256

  func run(_ run: LayerRun) {
    let (input, output) = (run.input, run.output)
    let pixels = input.shape.rows
    nonisolated(unsafe) let base = unsafe run.workspace.base
    run.team.forEach((pixels + Self.pixelsPerTask - 1) / Self.pixelsPerTask) { _, task in
      let first = task * Self.pixelsPerTask
      // Both maps have equal channels and equal gaps between pixels.
      let count = min(Self.pixelsPerTask, pixels - first) * input.pixelStride
      let x = unsafe base + input.offset + first * input.pixelStride
      let y = unsafe base + output.offset + first * output.pixelStride
      for i in 0..<count { unsafe y[i] = x[i] > 0 ? x[i] : 0 }
    }
  }
}
