import CDepthSIMD
import DepthBase

/// Gates each value by the means of its row and column: y = x · σ(α · (row mean + column mean) + β) for each channel.
///
/// Means are sums of 64-bit floats in a fixed order, so the result does not depend on the instruction set or the number of
/// threads.
struct StripGate: Operation {
  /// α as kernels of one weight each, and β.
  let kernels: ConvolutionWeights

  var kind: String { "strips" }
  var weights: [ConvolutionWeights] { [kernels] }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { input }

  func isNonnegative(_ channels: Range<Int>, reading source: Node) -> Bool {
    source.isNonnegative(channels)
  }

  func prepared(_ preparation: Preparation) throws -> any PreparedOperation {
    Prepared(alpha: try kernels.rows(0..<kernels.outputChannels), beta: kernels.bias)
  }

  private struct Prepared: PreparedOperation {
    let alpha, beta: [Float]

    var channels: Int { alpha.count }

    func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
      ("strips \(channels)", "gate")
    }

    func outputShape(for input: Tensor.Shape) -> Tensor.Shape { input }

    /// Floats of scratch: the means of rows and columns, and a row of gates per thread.
    func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
      (input.height + input.width) * channels + threads * input.width * channels
    }

    func run(_ run: LayerRun) {
      for image in 0..<run.input.shape.count {
        self.run(run, run.input.image(image), run.output.image(image))
      }
    }

    private func run(_ run: LayerRun, _ input: FeatureMap, _ output: FeatureMap) {
      let (height, width) = (input.shape.height, input.shape.width)
      nonisolated(unsafe) let base = unsafe run.workspace.base
      nonisolated(unsafe) let x = unsafe base + input.offset
      nonisolated(unsafe) let means = unsafe base + run.scratch
      let (channels, step) = (channels, input.pixelStride)
      // Rows first, then columns.
      run.team.forEach(height + width) { _, index in
        let isRow = index < height
        let first = unsafe x + (isRow ? index * width : index - height) * step
        let (count, stride) = isRow ? (width, step) : (height, width * step)
        var sums = [Double](repeating: 0, count: channels)
        for pixel in 0..<count {
          let values = unsafe first + pixel * stride
          for c in 0..<channels { unsafe sums[c] += Double(values[c]) }
        }
        for c in 0..<channels {
          unsafe means[index * channels + c] = Float(sums[c] / Double(count))
        }
      }
      let sigmoid = unsafe run.backend.kernels.pointee.network.sigmoid
      let lines = (height + width) * channels
      run.team.forEach(height) { worker, row in
        let gates = unsafe means + lines + worker * width * channels
        let rowMeans = unsafe means + row * channels
        for column in 0..<width {
          let columnMeans = unsafe means + (height + column) * channels
          for c in 0..<channels {
            unsafe gates[column * channels + c] =
              alpha[c] * (rowMeans[c] + columnMeans[c]) + beta[c]
          }
        }
        unsafe sigmoid(width * channels, 1, gates, gates)
        for column in 0..<width {
          let pixel = row * width + column
          let y = unsafe base + output.offset + pixel * output.pixelStride
          let values = unsafe x + pixel * step
          for c in 0..<channels { unsafe y[c] = values[c] * gates[column * channels + c] }
        }
      }
    }
  }
}
