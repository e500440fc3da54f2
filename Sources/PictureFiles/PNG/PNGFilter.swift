package import DepthBase

/// Filters rows of a picture for PNG. Each filtered row begins with the type of its filter.
///
/// For color and 8-bit gray, a row's filter is none, left, above, the mean of left and above, or Paeth's. The selected
/// filter is the one whose bytes, as signed numbers, have the smallest sum of magnitudes. For 16-bit gray (depth),
/// residuals equal to their predecessor count as zero. Long slopes in refined maps have many such residuals, so files
/// become a tenth smaller.
///
///   - rows: Rows to filter. The row above these rows is also read.
///   - rows: Rows to filter. The row above the first one is also read.
///   - bytes: The picture, `rowBytes` per row, row 0 first; samples of 16 bits big-endian.
///   - rowBytes: Bytes of a row.
///   - layout: The channels and bits of a pixel.
///   - filtered: Receives `1 + rowBytes` bytes per row, equal on every instruction set.
/// - Complexity: All five filters are computed for every byte, and the selected filter twice.
///
/// > Source: W3C PNG (Third Edition), section 9, “Filtering”, and the heuristic of section 12.7.
package func filterForPNG(
  rows: Range<Int>, of bytes: Span<UInt8>, rowBytes: Int, layout: PNGWriter.Layout,
  into filtered: inout MutableSpan<UInt8>, isa: InstructionSet = .current
) {
  precondition(
    rows.lowerBound >= 0 && rows.upperBound * rowBytes <= bytes.count,
    "rows \(rows) of \(rowBytes) bytes, the picture has \(bytes.count) bytes")
  precondition(
    rowBytes > 0 && rowBytes % layout.pixelBytes == 0,
    "\(layout.pixelBytes) bytes per pixel, \(rowBytes) bytes per row")
  precondition(
    filtered.count == rows.count * (1 + rowBytes),
    "room for \(filtered.count) bytes, expected \(rows.count * (1 + rowBytes))")
  let kernels = PNGKernels(isa)
  // Bytes above the picture are zero.
  let zeros = rows.lowerBound == 0 ? [UInt8](repeating: 0, count: rowBytes) : []
  filtered.forEachRow(rows, width: 1 + rowBytes) { row, filtered in
    let start = row * rowBytes
    let x = bytes.extracting(start..<start + rowBytes)
    let above = row == 0 ? zeros.span : bytes.extracting(start - rowBytes..<start)
    switch layout {
    case .rgb8, .rgba8, .rgba16, .gray8:
      kernels.filter(x, above: above, pixelBytes: layout.pixelBytes, into: &filtered)
    case .gray16: kernels.filter16(x, above: above, into: &filtered)
    }
  }
}
