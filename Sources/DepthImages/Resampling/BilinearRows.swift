import CDepthSIMD
package import SIMDKernels

/// A map stretched by linear interpolation, whose rows are made when asked for.
///
/// Pixel centres lie at half-integers and edges are repeated: output pixel `i` lies at
/// `(i + ½) · input / output − ½` of the input, as with MATLAB's `imresize` when enlarging, OpenCV's
/// `INTER_LINEAR` and PyTorch's `align_corners=False`. In 64 bits, without rounding in between.
///
/// - Complexity: Up to six multiply–adds a pixel, three when enlarging and rows are asked for in order.
package struct BilinearRows {
  package let height, width: Int
  private let values: [Float]
  private let inputWidth: Int
  private let rows, columns: [LinearTap]
  /// The two input rows around an output row, already at the new width; neighbouring rows share them.
  private var above, below: StretchedRow
  private let kernels: UnsafePointer<ck_kernels>

  /// - Parameters:
  ///   - values: `height × width` values, row 0 first.
  ///   - newHeight: Rows wanted, at least 1.
  ///   - newWidth: Columns wanted, at least 1.
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
    rows = (0..<newHeight).map { LinearTap(of: $0, from: height, to: newHeight) }
    columns = (0..<newWidth).map { LinearTap(of: $0, from: width, to: newWidth) }
    above = StretchedRow(width: newWidth)
    below = above
    kernels = isa.kernels
  }

  /// Fills `output` with the `width` values of a row.
  package mutating func fill(row: Int, _ output: inout [Double]) {
    precondition(output.count == width, "room for \(output.count) values, expected \(width)")
    output.withUnsafeMutableBufferPointer { output in
      if let start = output.baseAddress { fill(row: row, at: start) }
    }
  }

  private mutating func fill(row: Int, at output: UnsafeMutablePointer<Double>) {
    let tap = rows[row]
    if below.row == tap.first { swap(&above, &below) }
    above.fill(tap.first, of: values, width: inputWidth, columns)
    guard tap.share > 0 else {
      output.update(from: above.values, count: width)
      return
    }
    below.fill(tap.second, of: values, width: inputWidth, columns)
    let (low, high) = (1 - tap.share, tap.share)
    kernels.pointee.pictures.blend_rows(width, low, above.values, high, below.values, output)
  }

  /// All rows, `height × width` values.
  package mutating func all() -> [Double] {
    [Double](unsafeUninitializedCapacity: height * width) { output, initialized in
      guard let start = output.baseAddress else { return }
      for row in 0..<height { fill(row: row, at: start + row * width) }
      initialized = height * width
    }
  }
}

/// The two input samples around an output sample.
private struct LinearTap {
  let first, second: Int
  /// Share of `second`, 0…1.
  let share: Double

  init(of i: Int, from inputs: Int, to outputs: Int) {
    let position = (Double(i) + 0.5) * (Double(inputs) / Double(outputs)) - 0.5
    let floor = position.rounded(.down)
    first = min(max(Int(floor), 0), inputs - 1)
    second = min(max(Int(floor) + 1, 0), inputs - 1)
    // A sample that is met alone is handed on as it is: no value times 0 is NaN, and so is infinity.
    share = first == second ? 0 : position - floor
  }
}

/// One input row interpolated to the new width.
private struct StretchedRow {
  var row = -1
  var values: [Double]

  init(width: Int) { values = [Double](repeating: 0, count: width) }

  mutating func fill(_ row: Int, of input: [Float], width: Int, _ columns: [LinearTap]) {
    guard row != self.row else { return }
    self.row = row
    input.withUnsafeBufferPointer { input in
      let x = UnsafeBufferPointer(rebasing: input[row * width..<(row + 1) * width])
      values.withUnsafeMutableBufferPointer { values in
        columns.withUnsafeBufferPointer { columns in
          for i in 0..<values.count {
            let tap = columns[i]
            let first = Double(x[tap.first])
            values[i] =
              tap.share == 0 ? first : (1 - tap.share) * first + tap.share * Double(x[tap.second])
          }
        }
      }
    }
  }
}
