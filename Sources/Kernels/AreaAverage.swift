import CKernels
package import Tensors

/// A photo at another size: area mean where it shrinks, linear interpolation where it grows.
///
/// - Parameters:
///   - photo: `h × w × 3` bytes.
///   - height: Rows of the result.
///   - width: Columns of the result.
/// - Returns: `height × width × 3` bytes, rounded to nearest, without metadata.
package func areaAveraged(
  _ photo: Image, height: Int, width: Int, isa: InstructionSet = .current, threads: Int
) -> Image {
  guard (height, width) != (photo.height, photo.width) else { return photo }
  let kernels = isa.kernels.pointee
  let rows = SampleTable.area(from: photo.height, to: height)
  let columns = SampleTable.area(from: photo.width, to: width)
  let line = photo.width * 3
  let bytes = filledArray(count: height * width * 3) { (result: UnsafeMutablePointer<UInt8>) in
    photo.pixels.withUnsafeBufferPointer { pixels in
      guard let pixels = pixels.baseAddress else { return }
      // Each chunk writes the rows it was given and no others.
      nonisolated(unsafe) let (source, out) = (pixels, result)
      parallelFor(height, grain: 8, threads: threads) { chunk in
        withScratch(line) { sum in
          for y in chunk {
            sum.update(repeating: 0, count: line)
            for k in 0..<rows.taps where rows.weights[y * rows.taps + k] != 0 {
              kernels.accumulate_bytes(
                line, rows.weights[y * rows.taps + k], source + (rows.first[y] + k) * line, sum)
            }
            average(sum, columns, into: out + y * width * 3)
          }
        }
      }
    }
  }
  return Image(height: height, width: width, pixels: bytes)
}

/// One row of the result from the vertical mean of its source rows.
private func average(
  _ row: UnsafePointer<Float>, _ table: SampleTable, into out: UnsafeMutablePointer<UInt8>
) {
  table.weights.withUnsafeBufferPointer { weights in
    for x in 0..<table.first.count {
      // Half a step, so that cutting off the fraction rounds to nearest.
      var (red, green, blue) = (Float(0.5), Float(0.5), Float(0.5))
      var source = row + table.first[x] * 3
      for k in x * table.taps..<(x + 1) * table.taps {
        red += weights[k] * source[0]
        green += weights[k] * source[1]
        blue += weights[k] * source[2]
        source += 3
      }
      out[x * 3] = UInt8(min(red, 255))
      out[x * 3 + 1] = UInt8(min(green, 255))
      out[x * 3 + 2] = UInt8(min(blue, 255))
    }
  }
}
