package import DepthBase

/// A map stretched by linear interpolation, with rows computed on demand.
///
/// Pixel centers are at half-integers and edges are repeated: output pixel `i` is at
/// `(i + ½) · input / output − ½` of the input, as in MATLAB's `imresize` for enlarging, OpenCV's
/// `INTER_LINEAR` and PyTorch's `align_corners=False`. Sums are in 64 bits, without intermediate
/// rounding.
///
/// - Complexity: Up to six multiply–adds per pixel; three when enlarging with rows in order.
package struct BilinearRows {
  package let height, width: Int
  private let values: [Float]
  private let inputWidth: Int
  private let rows, columns: [LinearTap<Double>]
  /// The two input rows around an output row, stretched to the new width. Adjacent output rows share input
  /// rows.
  private var above, below: StretchedRow
  private let kernels: PictureKernels

  /// - Parameters:
  ///   - values: `height × width` values, row 0 first.
  ///   - newHeight: Rows of the result, at least 1.
  ///   - newWidth: Columns of the result, at least 1.
  package init(
    _ values: [Float], height: Int, width: Int, toHeight newHeight: Int, width newWidth: Int,
    isa: InstructionSet = .current
  ) {
    precondition(
      min(height, width, newHeight, newWidth) > 0,
      "\(width)×\(height) to \(newWidth)×\(newHeight), expected at least 1×1")
    precondition(
      values.count == height * width,
      "\(values.count) values for \(width)×\(height) pixels, expected \(height * width)")
    (self.height, self.width) = (newHeight, newWidth)
    (self.values, inputWidth) = (values, width)
    rows = (0..<newHeight).map { LinearTap.row($0, from: height, to: newHeight) }
    columns = (0..<newWidth).map { LinearTap.row($0, from: width, to: newWidth) }
    above = StretchedRow(width: newWidth)
    below = above
    kernels = PictureKernels(isa)
  }

  /// Writes the `width` values of a row to `output`.
  package mutating func fill(row: Int, _ output: inout [Double]) {
    precondition(output.count == width, "room for \(output.count) values, expected \(width)")
    var span = output.mutableSpan
    fill(row: row, &span)
  }

  private mutating func fill(row: Int, _ output: inout MutableSpan<Double>) {
    let tap = rows[row]
    if below.row == tap.first { swap(&above, &below) }
    above.fill(tap.first, of: values, width: inputWidth, columns)
    guard !tap.isSingle else { return output.update(from: above.values.span) }
    below.fill(tap.second, of: values, width: inputWidth, columns)
    kernels.blendRows(
      1 - tap.share, above.values.span, tap.share, below.values.span, into: &output)
  }

  /// All rows, `height × width` values.
  package mutating func all() -> [Double] {
    var output = [Double](repeating: 0, count: height * width)
    var span = output.mutableSpan
    for row in 0..<height {
      span.withPart(row * width..<(row + 1) * width) { fill(row: row, &$0) }
    }
    return output
  }
}

extension LinearTap<Double> {
  /// Unlike ``place(of:from:to:)``, rounds the scale before the product, which preserves the bits of
  /// evaluation results.
  fileprivate static func row(_ index: Int, from inputs: Int, to outputs: Int) -> LinearTap {
    LinearTap(at: (Double(index) + 0.5) * (Double(inputs) / Double(outputs)) - 0.5, of: inputs)
  }

  /// Whether only one sample counts. The sample's value must be copied unchanged, because NaN and infinity
  /// times 0 are NaN.
  fileprivate var isSingle: Bool { first == second || share == 0 }
}

/// One input row interpolated to the new width.
private struct StretchedRow {
  var row = -1
  var values: [Double]

  init(width: Int) { values = [Double](repeating: 0, count: width) }

  mutating func fill(_ row: Int, of input: [Float], width: Int, _ columns: [LinearTap<Double>]) {
    guard row != self.row else { return }
    self.row = row
    let x = input.span.extracting(row * width..<(row + 1) * width)
    let columns = columns.span
    var values = values.mutableSpan
    precondition(columns.count == values.count)
    for i in 0..<values.count {
      let tap = columns[i]
      let first = Double(x[tap.first])
      values[i] =
        tap.isSingle ? first : (1 - tap.share) * first + tap.share * Double(x[tap.second])
    }
  }
}
