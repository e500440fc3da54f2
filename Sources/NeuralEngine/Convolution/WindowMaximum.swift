import DepthBase

/// The maximum over a window around each pixel. Windows have an odd size and are cropped to the map.
struct WindowMaximum: Operation, PreparedOperation {
  /// Rows and columns of a window.
  let size: Int

  var kind: String { "max\(size)×\(size)" }
  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    ("\(size)×\(size)", "max")
  }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { input }

  func isNonnegative(_ channels: Range<Int>, reading source: Node) -> Bool {
    source.isNonnegative(channels)
  }

  /// Floats of scratch: one line of column maxima per thread.
  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
    threads * input.width * FeatureMap.pixelStride(forChannels: input.channels)
  }

  func run(_ run: LayerRun) {
    let (input, output, shape) = (run.input, run.output, run.input.shape)
    precondition(
      output.shape == shape && output.pixelStride == input.pixelStride, "y is \(output.shape)")
    let (step, line, reach) = (input.pixelStride, shape.width * input.pixelStride, size / 2)
    nonisolated(unsafe) let base = unsafe run.workspace.base
    run.team.forEach(shape.count * shape.height) { worker, index in
      let (image, row) = index.quotientAndRemainder(dividingBy: shape.height)
      let x = unsafe base + input.offset + image * shape.height * line
      let maxima = unsafe base + run.scratch + worker * line
      let y = unsafe base + output.offset + index * line
      let rows = max(row - reach, 0)...min(row + reach, shape.height - 1)
      unsafe maxima.update(from: x + rows.lowerBound * line, count: line)
      for other in rows.dropFirst() {
        unsafe Self.raise(maxima, to: x + other * line, count: line)
      }
      unsafe y.update(from: maxima, count: line)
      for distance in 1...max(reach, 1) where distance < shape.width && distance <= reach {
        let (shift, count) = (distance * step, line - distance * step)
        unsafe Self.raise(y, to: maxima + shift, count: count)
        unsafe Self.raise(y + shift, to: maxima, count: count)
      }
    }
  }

  /// y = max(y, x).
  private static func raise(
    _ y: UnsafeMutablePointer<Float>, to x: UnsafePointer<Float>, count: Int
  ) {
    for i in 0..<count { unsafe y[i] = x[i] > y[i] ? x[i] : y[i] }
  }
}
