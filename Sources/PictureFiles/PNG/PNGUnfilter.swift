/// Undoes the filters of a PNG of 16-bit gray samples that is not interlaced.
///
/// - Parameters:
///   - filtered: Content of the file's zlib stream: for each row its filter type, then its bytes,
///     the higher byte of a sample first.
///   - height: Rows.
///   - width: Samples per row.
/// - Returns: `height · width` samples; `nil` when a row has an unknown filter type.
/// - Precondition: `filtered` has `height · (1 + 2 · width)` bytes.
///
/// > Source: W3C PNG (Third Edition), section 9, “Filtering”.
package func unfilteredGray16(_ filtered: [UInt8], height: Int, width: Int) -> [UInt16]? {
  let pitch = 1 + 2 * width
  precondition(
    filtered.count == height * pitch,
    "\(filtered.count) bytes for \(width)×\(height) samples, expected \(height * pitch)")
  // The bytes of the row above and of this row, each after a sample of zeros.
  var above = [UInt8](repeating: 0, count: 2 + 2 * width)
  var row = above
  var samples = [UInt16](repeating: 0, count: height * width)
  for y in 0..<height {
    let start = y * pitch
    let isKnown = filtered.withUnsafeBufferPointer { filtered in
      above.withUnsafeBufferPointer { above in
        row.withUnsafeMutableBufferPointer { row in
          let bytes = UnsafeBufferPointer(rebasing: filtered[start + 1..<start + pitch])
          return unfilter(bytes, type: filtered[start], above: above, into: row)
        }
      }
    }
    guard isKnown else { return nil }
    row.withUnsafeBufferPointer { row in
      samples.withUnsafeMutableBufferPointer { samples in
        for x in 0..<width {
          samples[y &* width &+ x] = UInt16(row[2 &* x &+ 2]) << 8 | UInt16(row[2 &* x &+ 3])
        }
      }
    }
    swap(&above, &row)
  }
  return samples
}

/// One row; `above` and `row` begin with a sample of zeros, the left neighbor of the first.
///
/// - Returns: Whether `type` is a filter of the format.
private func unfilter(
  _ bytes: UnsafeBufferPointer<UInt8>, type: UInt8, above: UnsafeBufferPointer<UInt8>,
  into row: UnsafeMutableBufferPointer<UInt8>
) -> Bool {
  switch type {
  case 0: for i in 0..<bytes.count { row[i &+ 2] = bytes[i] }
  case 1: for i in 0..<bytes.count { row[i &+ 2] = bytes[i] &+ row[i] }
  case 2: for i in 0..<bytes.count { row[i &+ 2] = bytes[i] &+ above[i &+ 2] }
  case 3:
    for i in 0..<bytes.count {
      let mean = (UInt16(row[i]) &+ UInt16(above[i &+ 2])) >> 1
      row[i &+ 2] = bytes[i] &+ UInt8(truncatingIfNeeded: mean)
    }
  case 4:
    for i in 0..<bytes.count {
      let (a, b, c) = (Int32(row[i]), Int32(above[i &+ 2]), Int32(above[i]))
      // Distances of a, b and c from a + b − c.
      let (toLeft, toAbove, toCorner) = (abs(b &- c), abs(a &- c), abs(a &+ b &- 2 &* c))
      let nearest = toLeft <= toAbove && toLeft <= toCorner ? a : toAbove <= toCorner ? b : c
      row[i &+ 2] = bytes[i] &+ UInt8(truncatingIfNeeded: nearest)
    }
  default: return false
  }
  return true
}
