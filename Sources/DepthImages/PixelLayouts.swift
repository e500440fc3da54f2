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

/// One byte a pixel as a grey picture.
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

/// A picture made smaller (or larger) by averaging, for every target pixel, the area of the source
/// that it covers, on the coded values.
package func resizedByArea(
  _ pixels: [UInt8], height: Int, width: Int, toHeight: Int, toWidth: Int, threads: Int
) -> [UInt8] {
  precondition(pixels.count == height * width * 3 && toHeight > 0 && toWidth > 0)
  if height == toHeight && width == toWidth { return pixels }
  let rows = AreaSpan.spans(of: toHeight, over: height)
  let columns = AreaSpan.spans(of: toWidth, over: width)
  return pixels.withUnsafeBufferPointer { pixels in
    picture(height: toHeight, width: toWidth, threads: threads) { y, out in
      let row = rows[y]
      for x in 0..<toWidth {
        let column = columns[x]
        var (red, green, blue) = (Float(0), Float(0), Float(0))
        for sourceY in row.first...row.last {
          let down = row.weight(sourceY)
          for sourceX in column.first...column.last {
            let weight = down * column.weight(sourceX)
            let at = (sourceY * width + sourceX) * 3
            red += weight * Float(pixels[at])
            green += weight * Float(pixels[at + 1])
            blue += weight * Float(pixels[at + 2])
          }
        }
        out[x * 3] = UInt8(min(255, red + 0.5))
        out[x * 3 + 1] = UInt8(min(255, green + 0.5))
        out[x * 3 + 2] = UInt8(min(255, blue + 0.5))
      }
    }
  }
}

/// The source pixels under one target pixel along one axis, and their shares.
private struct AreaSpan {
  var first, last: Int
  var firstWeight, innerWeight, lastWeight: Float

  func weight(_ index: Int) -> Float {
    index == first ? firstWeight : index == last ? lastWeight : innerWeight
  }

  static func spans(of count: Int, over source: Int) -> [AreaSpan] {
    (0..<count).map { index in
      // Ends in units of 1 / count source pixels, so that they are whole.
      let begin = index * source
      let end = begin + source
      let first = begin / count
      let last = (end - 1) / count
      func share(_ pixel: Int) -> Float {
        Float(min(end, (pixel + 1) * count) - max(begin, pixel * count)) / Float(source)
      }
      return AreaSpan(
        first: first, last: last, firstWeight: share(first),
        innerWeight: Float(count) / Float(source), lastWeight: share(last))
    }
  }
}
