/// The taps and output positions of one small convolution: a plain convolution, or one of the four in an
/// up-convolution.
struct KernelPlace: Sendable {
  /// Rows and columns of the kernel.
  let height, width: Int
  /// Rows above and columns left of an output that the kernel reads.
  let top, left: Int
  /// The position of the first output. Each kernel of an up-convolution writes every second row and column.
  let firstRow, firstColumn: Int

  /// The kernel of a plain convolution.
  init(_ geometry: ConvolutionGeometry) {
    (height, width) = (geometry.kernelHeight, geometry.kernelWidth)
    (top, left) = (geometry.padding.top, geometry.padding.left)
    (firstRow, firstColumn) = (0, 0)
  }

  /// One of an up-convolution's kernels. Kernels of even rows have three tap rows, r − 1 to r + 1. Kernels of odd rows have
  /// two tap rows. Columns are analogous.
  ///
  /// - Parameter padding: The side of the padding, which selects the two rows or columns.
  init(_ phase: UpConvolution.Phase, _ padding: UpConvolution.Padding) {
    (height, width) = (phase.kernelHeight, phase.kernelWidth)
    (firstRow, firstColumn) = (height == 3 ? 0 : 1, width == 3 ? 0 : 1)
    let before = padding == .topLeft ? 1 : 0
    (top, left) = (height == 3 ? 1 : before, width == 3 ? 1 : before)
  }

  /// Distances from an output's own position in the map to the inputs of the output's kernel.
  ///
  /// - Parameters:
  ///   - lineStride: Distance from line to line of the map.
  ///   - pixelStride: Distance from pixel to pixel.
  ///   - byRows: Whether there is one distance per row of taps, for the row's first tap, instead of one per tap.
  func offsets(lineStride: Int, pixelStride: Int, byRows: Bool) -> [Int] {
    (0..<height).flatMap { row in
      (0..<(byRows ? 1 : width)).map { column in
        (row - top) * lineStride + (column - left) * pixelStride
      }
    }
  }
}
