import CDepthSIMD
import DepthBase

/// The activation of a dense prediction's last convolution.
package enum DenseActivation: Sendable, Hashable {
  /// max(z, 0).
  case relu
  /// `largest` / (1 + e⁻ᶻ).
  case sigmoid(largest: Float)
}

/// The last layers of a dense prediction transformer: bilinear resize (`align_corners`) to the size of the first input, 3×3
/// convolution with a ReLU, 1×1 convolution to one channel, activation. They are computed in strips of rows.
///
/// The inputs are the network's input, of which only the size is read, and a feature map. Only the one-channel result is
/// stored at full size. Strips depend only on the sizes.
struct DenseOutput: Operation {
  let inputChannels: Int
  /// The 3×3 and the 1×1 convolution.
  let hidden, last: ConvolutionWeights
  let activation: DenseActivation

  var kind: String { "strips" }
  var weights: [ConvolutionWeights] { [hidden, last] }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { input.with(channels: 1) }

  func prepared(_ preparation: Preparation) throws -> any PreparedOperation {
    let strip = Tensor.Shape(
      height: Prepared.rowsPerStrip + 2, width: preparation.input.width, channels: inputChannels)
    let middle = ConvolutionGeometry(
      kernelHeight: 3, kernelWidth: 3, inputChannels: inputChannels,
      outputChannels: hidden.outputChannels)
    return Prepared(
      inputChannels: inputChannels,
      hidden: try Convolution(
        middle, kernels: hidden.rows, bias: hidden.bias, activation: .relu,
        algorithm: Prepared.algorithm(.best(for: middle, input: strip)),
        backend: preparation.backend, on: preparation.team),
      last: try Convolution(
        ConvolutionGeometry(
          kernelHeight: 1, kernelWidth: 1, inputChannels: hidden.outputChannels, outputChannels: 1),
        kernels: last.rows, bias: last.bias, activation: activation == .relu ? .relu : .none,
        algorithm: .pointwise, backend: preparation.backend, on: preparation.team),
      activation: activation)
  }

  private struct Prepared: PreparedOperation {
    /// Rows of the result per strip. With one more row on each side, Winograd tiles are complete.
    static let rowsPerStrip = 30

    /// Replaces smaller Winograd tiles by F(4). Strips have a hundred times the pixels of the maps on which `best` was
    /// measured, and F(4) then takes nine tenths of the time of F(2).
    static func algorithm(_ best: ConvolutionAlgorithm) -> ConvolutionAlgorithm {
      if case .winograd = best { .winograd(tile: 4) } else { best }
    }

    let inputChannels: Int
    let hidden, last: Convolution
    let activation: DenseActivation

    func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
      ("\(hidden.geometry.description)→1", "strips, \(hidden.algorithm)")
    }
    var weightBytes: Int { hidden.weightBytes + last.weightBytes }

    func outputShape(for input: Tensor.Shape) -> Tensor.Shape { input.with(channels: 1) }

    func multiplyAdds(for input: Tensor.Shape) -> Int {
      input.rows * (9 * inputChannels + 1) * hidden.geometry.outputChannels
    }

    /// The maps of one strip, and the offset of scratch. The maps are the input and the result of the 3×3 convolution, with
    /// one more row on each side.
    private func strip(
      width: Int, at offset: Int
    ) -> (resized: FeatureMap, hidden: FeatureMap, end: Int) {
      let rows = Self.rowsPerStrip + 2
      let resized = FeatureMap(
        shape: .init(height: rows, width: width, channels: inputChannels), offset: offset)
      let hidden = FeatureMap(
        shape: .init(height: rows, width: width, channels: self.hidden.geometry.outputChannels),
        offset: offset + Workspace.aligned(resized.extent))
      return (resized, hidden, hidden.offset + Workspace.aligned(hidden.extent))
    }

    func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
      let strip = strip(width: input.width, at: 0)
      return strip.end + hidden.scratchCount(for: strip.resized.shape, threads: threads)
    }

    func run(_ run: LayerRun) {
      let shape = run.output.shape
      let features = run.requiredSecond
      precondition(
        features.shape.channels == inputChannels && features.shape.count == shape.count,
        "x is \(features.shape), expected \(inputChannels) channels of \(shape.count) images")
      let table = BilinearTable(from: features.shape, height: shape.height, width: shape.width)
      for image in 0..<shape.count {
        for first in stride(from: 0, to: shape.height, by: Self.rowsPerStrip) {
          self.run(run, table, features.image(image), run.output.image(image), first)
        }
      }
    }

    /// Computes a strip of one image, beginning at row `first`.
    private func run(
      _ run: LayerRun, _ table: BilinearTable, _ features: FeatureMap, _ output: FeatureMap,
      _ first: Int
    ) {
      let (workspace, height) = (run.workspace, output.shape.height)
      let strip = strip(width: output.shape.width, at: run.scratch)
      let line = output.shape.width * strip.resized.pixelStride
      nonisolated(unsafe) let base = unsafe workspace.base
      run.team.forEach(strip.resized.shape.height) { _, index in
        let row = first - 1 + index
        if (0..<height).contains(row) {
          table.run(
            row: row, of: features, adding: nil, into: strip.resized, row: index, in: workspace,
            run.backend)
        } else {
          // This row is the map's zero padding. Rows further below are unused.
          unsafe (base + strip.resized.offset + index * line).update(repeating: 0, count: line)
        }
      }
      hidden.run(
        strip.resized, into: strip.hidden, scratch: strip.end, in: workspace, on: run.team)
      let rows = min(Self.rowsPerStrip, height - first)
      // The result begins at the strip's second row, since the first row lacks its upper neighbors.
      var (read, written) = (strip.hidden, output)
      read.shape.height = rows
      read.offset += output.shape.width * strip.hidden.pixelStride
      written.shape.height = rows
      written.offset += first * output.shape.width * output.pixelStride
      last.run(read, into: written, scratch: strip.end, in: workspace, on: run.team)
      guard case .sigmoid(let largest) = activation else { return }
      let sigmoid = unsafe run.backend.kernels.pointee.network.sigmoid
      let width = written.shape.width
      nonisolated(unsafe) let values = unsafe base + written.offset
      run.team.forEach(rows) { _, row in
        unsafe sigmoid(width, largest, values + row * width, values + row * width)
      }
    }
  }
}
