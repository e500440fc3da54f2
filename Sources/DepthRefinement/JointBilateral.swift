import CDepthSIMD
package import DepthImages
package import SIMDKernels
package import ThreadTeams

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Filters a map with the colors of a photo: each pixel becomes the mean of its window, weighted by
/// how near a neighbor is and by how alike its color is.
///
/// `out(p) = Σ_q w(p, q)·weight(q)·value(q) / Σ_q w(p, q)·weight(q)` with
/// `w = exp(−|p − q|² / 2σ_s²) · exp(−|guide(p) − guide(q)|² / 2σ_r²)`. The window is cut off at the
/// border of the image: what lies outside has no say. A map of another size than the guide is
/// stretched linearly first, a few rows at a time.
///
/// - Parameters:
///   - map: `h × w` values with weights.
///   - guide: `H × W × 3` bytes, taken as 0…1.
///   - radius: Half the window, in pixels of the guide; the window has `2·radius + 1` pixels a side.
///   - sigmaSpatial: σ_s, pixels of the guide.
///   - sigmaRange: σ_r, Euclidean distance of colors in 0…1.
///   - missing: What a pixel gets whose coarse pixel has no value.
///   - blocks: Which pixels to filter; the others are stretched and no more. `nil` for all.
///   - cancellation: Once it is cancelled, the result is undefined.
/// - Returns: `H × W` values; within 1e-5 of `Double` arithmetic for values in 0…1, the same bits on
///   every instruction set and for every number of threads.
///
/// > Source: G. Petschnigg et al. “Digital Photography with Flash and No-Flash Image Pairs.”
/// > SIGGRAPH 2004, equation 3.
package func jointBilateral(
  _ map: WeightedMap, guide: Image, radius: Int, sigmaSpatial: Float, sigmaRange: Float,
  missing: Float, blocks: FilteredBlocks? = nil, isa: InstructionSet = .current, threads: Int,
  cancellation: Cancellation? = nil
) -> [Float] {
  precondition(radius >= 0, "radius is \(radius), expected 0 or more")
  precondition(
    sigmaSpatial > 0 && sigmaRange > 0,
    "sigmas are \(sigmaSpatial) and \(sigmaRange), expected positive")
  let kernels = isa.kernels.pointee
  let (height, width) = (guide.height, guide.width)
  // A window wider than the image sees the image and nothing else.
  let radius = min(radius, max(height, width) - 1)
  let stretched = StretchedMap(map, height: height, width: width, threads: threads)
  let decay = logarithmicGaussian(radius: radius, sigma: sigmaSpatial)
  let scale = rangeScale(sigmaRange)
  let pitch = width + 2 * radius + widestLanes

  return filledArray(count: height * width) { (result: UnsafeMutablePointer<Float>) in
    guide.pixels.withUnsafeBufferPointer { bytes in
      guard let bytes = bytes.baseAddress else { return }
      // Each chunk writes only the rows it was given.
      nonisolated(unsafe) let (pixels, out) = (bytes, result)
      parallelFor(height, grain: 16, threads: threads, cancellation: cancellation) { chunk in
        let seen = max(0, chunk.lowerBound - radius)..<min(height, chunk.upperBound + radius)
        let plane = (chunk.count + 2 * radius) * pitch + widestLanes
        withScratch(5 * plane) { scratch in
          // Row `y` of plane `i`, pixel 0; what is never filled stays at weight 0.
          func start(_ i: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
            scratch + i * plane + (y - chunk.lowerBound + radius) * pitch + radius
          }
          for y in seen {
            kernels.refinement.planar(
              width, scale, pixels + y * width * 3, start(0, y), start(1, y), start(2, y))
            stretched.fill(row: y, masked: true, kernels, value: start(3, y), weight: start(4, y))
          }
          for left in stride(from: 0, to: width, by: tileWidth) {
            let span = min(tileWidth, width - left)
            for y in chunk {
              let row = ck_guided_row(
                red: start(0, y) + left, green: start(1, y) + left, blue: start(2, y) + left,
                value: start(3, y) + left, weight: start(4, y) + left, pitch: pitch)
              guard let blocks else {
                kernels.refinement.joint_bilateral(span, radius, decay, row, out + y * width + left)
                continue
              }
              for run in blocks.runs(row: y, columns: left..<left + span) {
                // A window of one pixel gives value·weight / weight.
                let first = run.columns.lowerBound
                kernels.refinement.joint_bilateral(
                  run.columns.count, run.isFiltered ? radius : 0, run.isFiltered ? decay : [0],
                  row.moved(by: first - left), out + y * width + first)
              }
            }
          }
          for y in chunk { stretched.mask(out + y * width, at: y, missing: missing) }
        }
      }
    }
  }
}

/// Columns filtered together: five planes of the rows that a window of 25 sees then fit in a 1 MiB
/// second-level cache; a whole row of a 12-megapixel photo would not.
private let tileWidth = 512

/// log₂ of a Gaussian at −radius…radius, 0 in the middle.
func logarithmicGaussian(radius: Int, sigma: Float) -> [Float] {
  (-radius...radius).map { Float(-0.5 * Double($0 * $0) / Double(sigma * sigma) / log(2.0)) }
}

/// The factor on bytes that makes 2^−|difference|² the Gaussian of `sigma` on colors in 0…1.
func rangeScale(_ sigma: Float) -> Float {
  Float((0.5 / log(2.0)).squareRoot() / Double(sigma) / 255)
}
