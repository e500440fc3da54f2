import DepthBase

/// The photo's rows and weights of one result row.
struct RowWindow: Sendable {
  let first: Int
  let weights: [Float]
}

extension PictureKernels {
  /// Resizes a photo in 32-bit floats: a weighted sum of rows per result row, then a filter along its columns.
  ///
  /// - Parameters:
  ///   - rows: One window per row of the result.
  ///   - width: Columns of the result.
  ///   - margin: Pixels at both ends of a row that repeat the border.
  ///   - filter: Computes a result row from a row of the photo's columns, including margins.
  /// - Returns: `rows.count × width × 3`.
  func resampled(
    _ image: Image, rows windows: [RowWindow], width: Int, margin: Int = 0, threads: Int,
    filter: @Sendable (_ line: Span<Float>, _ out: inout MutableSpan<Float>) -> Void
  ) -> [Float] {
    precondition(!windows.isEmpty && width > 0, "size \(width)×\(windows.count), expected 1×1")
    let (rowBytes, start) = (image.width * 3, 3 * margin)
    return filledRows(height: windows.count, width: width * 3, grain: 8, threads: threads) {
      rows, out in
      withScratch(rowBytes + 2 * start + 1) { line in
        out.forEachRow(rows, width: width * 3) { row, out in
          let window = windows[row]
          let source = image.pixels.span.extracting(
            window.first * rowBytes..<(window.first + window.weights.count) * rowBytes)
          line.withPart(start..<start + rowBytes) {
            weightedBytes(
              window.weights.span, source, step: rowBytes, count: rowBytes, into: &$0)
          }
          for i in 0..<start {
            line[i] = line[start + i % 3]
            line[start + rowBytes + i] = line[start + rowBytes - 3 + i % 3]
          }
          filter(line.span, &out)
        }
      }
    }
  }
}
