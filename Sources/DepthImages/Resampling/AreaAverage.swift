import CDepthSIMD
package import SIMDKernels
import ThreadTeams

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
        // One float more, so that a pixel loads as a vector of four.
        withScratch(line + 1) { sum in
          rows.weights.withUnsafeBufferPointer { weights in
            guard let weights = weights.baseAddress else { return }
            for y in chunk {
              let share = weights + y * rows.taps
              var taps = rows.taps
              while taps > 1, share[taps - 1] == 0 { taps -= 1 }
              kernels.pictures.weighted_bytes(
                line, taps, share, source + rows.first[y] * line, line, sum)
              average(sum, columns, into: out + y * width * 3)
            }
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
      var color = SIMD4<Float>(repeating: 0.5)
      var source = UnsafeRawPointer(row + table.first[x] * 3)
      for k in x * table.taps..<(x + 1) * table.taps {
        color += weights[k] * source.loadUnaligned(as: SIMD4<Float>.self)
        source += 3 * MemoryLayout<Float>.stride
      }
      for c in 0..<3 { out[x * 3 + c] = UInt8(min(color[c], 255)) }
    }
  }
}
