/// Resizes a plane of floats by linear interpolation, pixel centres at half-integers, edges repeated.
///
/// Output pixel `i` lies at `(i + ½) · input / output − ½` of the input: MATLAB's `imresize` when
/// enlarging, OpenCV's `INTER_LINEAR`, PyTorch's `align_corners=False`. Interpolates in 64 bits and
/// rounds once.
///
/// - Parameters:
///   - values: `height × width` values, row 0 first.
///   - newHeight: Rows wanted, at least 1.
///   - newWidth: Columns wanted, at least 1.
///   - threads: Threads to use; the bits do not depend on it.
/// - Returns: `newHeight × newWidth` values.
/// - Complexity: Three multiply–adds an output pixel or fewer.
package func resizedBilinear(
  _ values: [Float], height: Int, width: Int, toHeight newHeight: Int, width newWidth: Int,
  threads: Int
) -> [Float] {
  guard newHeight != height || newWidth != width else { return values }
  return interpolated(
    values, height: height, width: width, toHeight: newHeight, width: newWidth, threads: threads)
}

/// As ``resizedBilinear(_:height:width:toHeight:width:threads:)``, without rounding to 32 bits.
package func resizedBilinearDoubles(
  _ values: [Float], height: Int, width: Int, toHeight newHeight: Int, width newWidth: Int,
  threads: Int
) -> [Double] {
  interpolated(
    values, height: height, width: width, toHeight: newHeight, width: newWidth, threads: threads)
}

@inline(__always)
private func interpolated<Output: BinaryFloatingPoint & Sendable>(
  _ values: [Float], height: Int, width: Int, toHeight newHeight: Int, width newWidth: Int,
  threads: Int
) -> [Output] {
  precondition(
    min(height, width, newHeight, newWidth) > 0,
    "\(width)×\(height) to \(newWidth)×\(newHeight), expected at least 1×1")
  precondition(
    values.count == height * width,
    "\(values.count) values for \(width)×\(height) pixels, expected \(height * width)")
  let rows = (0..<newHeight).map { LinearTap(of: $0, from: height, to: newHeight) }
  let columns = (0..<newWidth).map { LinearTap(of: $0, from: width, to: newWidth) }

  return [Output](unsafeUninitializedCapacity: newHeight * newWidth) { output, initialized in
    values.withUnsafeBufferPointer { input in
      nonisolated(unsafe) let (input, output) = (input, output)
      parallelFor(newHeight, grain: 16, threads: threads) { chunk in
        // The two input rows around an output row, already at the new width; neighbouring output
        // rows share them.
        var above = StretchedRow(width: newWidth)
        var below = StretchedRow(width: newWidth)
        for row in chunk {
          let tap = rows[row]
          if below.row == tap.first { swap(&above, &below) }
          above.fill(tap.first, of: input, width: width, columns)
          below.fill(tap.second, of: input, width: width, columns)
          let (low, high) = (1 - tap.share, tap.share)
          above.values.withUnsafeBufferPointer { a in
            below.values.withUnsafeBufferPointer { b in
              for i in 0..<newWidth {
                output[row * newWidth + i] = Output(low * a[i] + high * b[i])
              }
            }
          }
        }
      }
    }
    initialized = newHeight * newWidth
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
    share = position - floor
  }
}

/// One input row interpolated to the new width.
private struct StretchedRow {
  var row = -1
  var values: [Double]

  init(width: Int) { values = [Double](repeating: 0, count: width) }

  mutating func fill(
    _ row: Int, of input: UnsafeBufferPointer<Float>, width: Int, _ columns: [LinearTap]
  ) {
    guard row != self.row else { return }
    self.row = row
    let x = UnsafeBufferPointer(rebasing: input[row * width..<(row + 1) * width])
    values.withUnsafeMutableBufferPointer { values in
      columns.withUnsafeBufferPointer { columns in
        for i in 0..<values.count {
          let tap = columns[i]
          values[i] = (1 - tap.share) * Double(x[tap.first]) + tap.share * Double(x[tap.second])
        }
      }
    }
  }
}
