import CDepthSIMD
package import SIMDKernels
package import ThreadTeams

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Stretches a map linearly to `height × width` and blurs it with a Gaussian cut off at `radius`:
/// the mean of the pixels that have a value, inside the image, along rows and then down columns.
///
/// - Parameters:
///   - map: `h × w` values with weights.
///   - radius: Half the window, pixels of the result.
///   - sigma: Standard deviation, pixels of the result.
///   - missing: What a pixel gets whose coarse pixel has no value.
///   - cancellation: Once it is cancelled, the result is undefined.
/// - Returns: `height × width` values.
package func gaussianBlurred(
  _ map: WeightedMap, height: Int, width: Int, radius: Int, sigma: Float, missing: Float,
  isa: InstructionSet = .current, threads: Int, cancellation: Cancellation? = nil
) -> [Float] {
  precondition(radius >= 0 && sigma > 0, "radius \(radius), sigma \(sigma), expected positive")
  let kernels = isa.kernels.pointee
  let radius = min(radius, max(height, width) - 1)
  let stretched = StretchedMap(map, height: height, width: width, threads: threads)
  let weights = logarithmicGaussian(radius: radius, sigma: sigma).map(exp2)
  let taps = 2 * radius + 1
  let pitch = width + widestLanes

  return filledArray(count: height * width) { (result: UnsafeMutablePointer<Float>) in
    // Each chunk writes only the rows it was given.
    nonisolated(unsafe) let out = result
    parallelFor(height, grain: 16, threads: threads, cancellation: cancellation) { chunk in
      let seen = max(0, chunk.lowerBound - radius)..<min(height, chunk.upperBound + radius)
      let plane = (chunk.count + 2 * radius) * pitch
      let padded = width + 2 * radius + widestLanes
      withScratch(2 * plane + 2 * padded + pitch) { scratch in
        let (value, weight) = (scratch + 2 * plane, scratch + 2 * plane + padded)
        func start(_ i: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
          scratch + i * plane + (y - chunk.lowerBound + radius) * pitch
        }
        for y in seen {
          stretched.fill(
            row: y, masked: true, kernels, value: value + radius, weight: weight + radius)
          kernels.refinement.weighted_sum(width, taps, weights, value, 1, start(0, y))
          kernels.refinement.weighted_sum(width, taps, weights, weight, 1, start(1, y))
        }
        let norm = weight + padded
        for y in chunk {
          let row = out + y * width
          kernels.refinement.weighted_sum(width, taps, weights, start(0, y - radius), pitch, row)
          kernels.refinement.weighted_sum(width, taps, weights, start(1, y - radius), pitch, norm)
          for x in 0..<width { row[x] = norm[x] > 0 ? row[x] / norm[x] : 0 }
          stretched.mask(row, at: y, missing: missing)
        }
      }
    }
  }
}
