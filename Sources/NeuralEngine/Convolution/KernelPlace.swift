/// The taps and the output positions of a small convolution: the only one of a convolution, or one of the four of an up-convolution.
struct KernelPlace: Sendable {
  /// Rows and columns of the kernel.
  let height, width: Int
  /// Rows above and columns left of an output that the kernel reads.
  let top, left: Int
  /// The position of its first output in the result. An up-convolution's kernels each write every second row and column.
  let firstRow, firstColumn: Int

  /// The kernel of a plain convolution.
  init(_ geometry: ConvolutionGeometry) {
    (height, width) = (geometry.kernelHeight, geometry.kernelWidth)
    (top, left) = (geometry.padding.top, geometry.padding.left)
    (firstRow, firstColumn) = (0, 0)
  }

  /// One of an up-convolution's kernels: those of even rows have three rows, r − 1 to r + 1, those of odd rows two; likewise
  /// columns.
  ///
  /// - Parameter padding: Which two.
  init(_ phase: UpConvolution.Phase, _ padding: UpConvolution.Padding) {
    (height, width) = (phase.kernelHeight, phase.kernelWidth)
    (firstRow, firstColumn) = (height == 3 ? 0 : 1, width == 3 ? 0 : 1)
    let before = padding == .topLeft ? 1 : 0
    (top, left) = (height == 3 ? 1 : before, width == 3 ? 1 : before)
  }

  /// Distances from an output's own place in the map to what the kernel reads.
  ///
  /// - Parameters:
  ///   - lineStride: From line to line of the map.
  ///   - pixelStride: From pixel to pixel.
  ///   - byRows: Whether a row of taps is one run, which begins at its first tap; otherwise each tap is one.
  func offsets(lineStride: Int, pixelStride: Int, byRows: Bool) -> [Int] {
    (0..<height).flatMap { row in
      (0..<(byRows ? 1 : width)).map { column in
        (row - top) * lineStride + (column - left) * pixelStride
      }
    }
  }
}
