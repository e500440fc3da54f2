import CDepthSIMD
import DepthBase

/// Doubles a map of one channel by a per-pixel mix of nearest and bilinear interpolation, followed by a ReLU: y =
/// max(α · nearest(D) + (1 − α) · bilinear(D), 0) with α = σ(bilinear(z)), on the grid of pixel centers.
///
/// The inputs are z and D, with one channel each.
struct GatedUpsampling: Operation, PreparedOperation {
  var kind: String { "gated×2" }
  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    ("×2", "gated")
  }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    input.require(channels: 1)
    return Tensor.Shape(
      count: input.count, height: 2 * input.height, width: 2 * input.width, channels: 1)
  }

  func isNonnegative(_ channels: Range<Int>, reading source: Node) -> Bool { true }

  /// Floats of scratch: two lines of the result's width per thread.
  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int { threads * 4 * input.width }

  func run(_ run: LayerRun) {
    let (gate, map, output) = (run.input, run.requiredSecond, run.output)
    precondition(
      output.shape == outputShape(for: gate.shape) && map.shape == gate.shape,
      "y is \(output.shape), the map \(map.shape)")
    let (height, width) = (output.shape.height, output.shape.width)
    let table = BilinearTable(from: gate.shape, height: height, width: width, grid: .centers)
    nonisolated(unsafe) let base = unsafe run.workspace.base
    let sigmoid = unsafe run.backend.kernels.pointee.network.sigmoid
    run.team.forEach(output.shape.count * height) { worker, index in
      let (image, row) = index.quotientAndRemainder(dividingBy: height)
      let lines = FeatureMap(
        shape: .init(height: 2, width: width, channels: 1), offset: run.scratch + worker * 2 * width
      )
      for (line, source) in [gate, map].enumerated() {
        table.run(
          row: row, of: source.image(image), adding: nil, into: lines, row: line,
          in: run.workspace, run.backend)
      }
      let alpha = unsafe base + lines.offset
      let smooth = unsafe alpha + width
      unsafe sigmoid(width, 1, alpha, alpha)
      let copied = unsafe base + map.image(image).offset + row / 2 * (width / 2)
      let y = unsafe base + output.offset + index * width
      for x in 0..<width {
        let value = unsafe alpha[x] * copied[x / 2] + (1 - alpha[x]) * smooth[x]
        unsafe y[x] = value > 0 ? value : 0
      }
    }
  }
}
