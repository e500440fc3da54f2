import ThreadTeams

/// Builds a `height × width` RGB picture row by row, rows in parallel.
///
/// - Parameter fill: Writes row `y`, `width · 3` bytes, and nothing else.
func picture(
  height: Int, width: Int, threads: Int, _ fill: (Int, UnsafeMutablePointer<UInt8>) -> Void
) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: height * width * 3) { out, count in
    withoutActuallyEscaping(fill) { fill in
      // A row is written by the one chunk that holds it; what `fill` reads does not change.
      nonisolated(unsafe) let (out, fill) = (out.baseAddress!, fill)
      parallelFor(height, grain: 32, threads: threads) { rows in
        for y in rows { fill(y, out + y * width * 3) }
      }
    }
    count = height * width * 3
  }
}

/// A source row for every part of every row of a picture: the layouts that only move rows.
///
/// - Parameters:
///   - sources: Pictures that are `width` pixels wide, RGB.
///   - parts: For row y the source and the row of it for every part, left to right.
package func assembledRows(
  _ sources: [[UInt8]], width: Int, height: Int, across: Int, threads: Int,
  parts: @Sendable (_ y: Int, _ part: Int) -> (source: Int, row: Int)
) -> [UInt8] {
  picture(height: height, width: width * across, threads: threads) { y, out in
    for part in 0..<across {
      let (source, row) = parts(y, part)
      sources[source].withUnsafeBufferPointer { pixels in
        precondition(row >= 0 && (row + 1) * width * 3 <= pixels.count)
        (out + part * width * 3).update(
          from: pixels.baseAddress! + row * width * 3, count: width * 3)
      }
    }
  }
}

/// The columns `first ..< first + count` of a picture.
package func croppedColumns(
  _ pixels: [UInt8], height: Int, width: Int, first: Int, count: Int, threads: Int
) -> [UInt8] {
  precondition(
    first >= 0 && count > 0 && first + count <= width && pixels.count == height * width * 3)
  return pixels.withUnsafeBufferPointer { pixels in
    picture(height: height, width: count, threads: threads) { y, out in
      out.update(from: pixels.baseAddress! + (y * width + first) * 3, count: count * 3)
    }
  }
}

/// Even columns from one picture, odd columns from another.
package func interleavedColumns(
  _ even: [UInt8], _ odd: [UInt8], height: Int, width: Int, threads: Int
) -> [UInt8] {
  precondition(even.count == height * width * 3 && odd.count == even.count)
  return even.withUnsafeBufferPointer { even in
    odd.withUnsafeBufferPointer { odd in
      picture(height: height, width: width, threads: threads) { y, out in
        for x in 0..<width {
          let from = x.isMultiple(of: 2) ? even : odd
          for channel in 0..<3 {
            out[x * 3 + channel] = from[(y * width + x) * 3 + channel]
          }
        }
      }
    }
  }
}

/// A gray picture of one byte per pixel.
package func grayPicture(_ values: [UInt8], height: Int, width: Int, threads: Int) -> [UInt8] {
  precondition(values.count == height * width, "\(values.count) bytes for \(width)×\(height)")
  return values.withUnsafeBufferPointer { values in
    picture(height: height, width: width, threads: threads) { y, out in
      for x in 0..<width {
        for channel in 0..<3 { out[x * 3 + channel] = values[y * width + x] }
      }
    }
  }
}
