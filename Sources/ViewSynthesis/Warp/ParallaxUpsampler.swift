import DepthBase

/// Stretches a map of parallax over a larger frame, row by row, by bilinear interpolation with aligned pixel
/// centers.
///
/// The two weights of a column are computed symmetrically, so a mirrored map gives exactly the mirrored row.
struct ParallaxUpsampler: Sendable {
  private let kernels: ViewKernels
  private let height, width, frameHeight: Int
  private let columns: ParallaxColumns

  struct Tap {
    var first, second: Int
    var firstWeight, secondWeight: Float
  }

  init(height: Int, width: Int, frameHeight: Int, frameWidth: Int, isa: InstructionSet) {
    (self.height, self.width, self.frameHeight) = (height, width, frameHeight)
    kernels = ViewKernels(isa)
    columns = ParallaxColumns(
      (0..<frameWidth).map { Self.tap($0, of: frameWidth, over: width) }, length: width)
  }

  private static func tap(_ index: Int, of frame: Int, over count: Int) -> Tap {
    // The center of `index`, measured from the first source center, in units of 1 / (2 · frame) source
    // pixels.
    let position = (2 * index + 1) * count - frame
    let unit = 2 * frame
    let first = Int((Double(position) / Double(unit)).rounded(.down))
    let along = position - first * unit
    return Tap(
      first: max(0, first), second: min(count - 1, first + 1),
      firstWeight: Float(unit - along) / Float(unit), secondWeight: Float(along) / Float(unit))
  }

  /// Computes row `y` of the frame.
  func row(_ y: Int, of map: [Int32], blended: inout [Float], into out: inout [Int32]) {
    let rows = Self.tap(y, of: frameHeight, over: height)
    let upper = map.span.extracting(rows.first * width..<(rows.first + 1) * width)
    let lower = map.span.extracting(rows.second * width..<(rows.second + 1) * width)
    kernels.stretchLine(
      (upper, rows.firstWeight), (lower, rows.secondWeight), columns, blended: &blended,
      into: &out)
  }
}
