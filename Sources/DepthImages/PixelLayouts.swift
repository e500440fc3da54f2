import DepthBase

/// Creates a `height × width` RGB picture, rows in parallel.
///
/// - Parameter fill: Sets row `y`, `width · 3` bytes.
func picture(
  height: Int, width: Int, threads: Int,
  _ fill: @Sendable (_ y: Int, _ row: inout MutableSpan<UInt8>) -> Void
) -> [UInt8] {
  filledRows(height: height, width: width * 3, grain: 32, threads: threads) { rows, out in
    out.forEachRow(rows, width: width * 3, fill)
  }
}

/// Assembles a picture from source rows, for layouts that only move rows.
///
/// - Parameters:
///   - sources: RGB pictures, `width` pixels wide.
///   - parts: For each part of row y, from left to right, the source and the row in this source.
package func assembledRows(
  _ sources: [[UInt8]], width: Int, height: Int, across: Int, threads: Int,
  parts: @Sendable (_ y: Int, _ part: Int) -> (source: Int, row: Int)
) -> [UInt8] {
  picture(height: height, width: width * across, threads: threads) { y, out in
    for part in 0..<across {
      let (source, row) = parts(y, part)
      let pixels = sources[source]
      out.update(
        from: pixels.span.extracting(row * width * 3..<(row + 1) * width * 3),
        at: part * width * 3)
    }
  }
}

/// The columns `first ..< first + count` of a picture.
package func croppedColumns(
  _ pixels: [UInt8], height: Int, width: Int, first: Int, count: Int, threads: Int
) -> [UInt8] {
  precondition(
    first >= 0 && count > 0 && first + count <= width && pixels.count == height * width * 3)
  return picture(height: height, width: count, threads: threads) { y, out in
    let start = (y * width + first) * 3
    out.update(from: pixels.span.extracting(start..<start + count * 3))
  }
}

/// Interleaves columns: even columns from one picture, odd columns from another.
package func interleavedColumns(
  _ even: [UInt8], _ odd: [UInt8], height: Int, width: Int, threads: Int
) -> [UInt8] {
  precondition(even.count == height * width * 3 && odd.count == even.count)
  return picture(height: height, width: width, threads: threads) { y, out in
    let row = y * width * 3..<(y + 1) * width * 3
    let (even, odd) = (even.span.extracting(row), odd.span.extracting(row))
    precondition(out.count == width * 3 && even.count == out.count && odd.count == out.count)
    for x in 0..<width {
      for channel in 0..<3 {
        let i = x &* 3 &+ channel
        out[i] = x.isMultiple(of: 2) ? even[i] : odd[i]
      }
    }
  }
}

/// Creates a gray picture from one byte per pixel.
package func grayPicture(_ values: [UInt8], height: Int, width: Int, threads: Int) -> [UInt8] {
  precondition(values.count == height * width, "\(values.count) bytes for \(width)×\(height)")
  return picture(height: height, width: width, threads: threads) { y, out in
    let values = values.span.extracting(y * width..<(y + 1) * width)
    for x in 0..<width {
      for channel in 0..<3 { out[x &* 3 &+ channel] = values[x] }
    }
  }
}
