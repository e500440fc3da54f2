package import DepthBase
package import DepthImages
import SystemEssentials

/// Filters a map by the colors of a photo: each pixel becomes the mean of its window, weighted by the
/// neighbors' distance and color similarity.
///
/// `out(p) = Σ_q w(p, q)·weight(q)·value(q) / Σ_q w(p, q)·weight(q)` with
/// `w = exp(−|p − q|² / 2σ_s²) · exp(−|guide(p) − guide(q)|² / 2σ_r²)`. The window is cropped to the image. If
/// the sizes of map and guide differ, the map is first stretched linearly, a few rows at a time.
///
/// - Parameters:
///   - map: `h × w` values with weights.
///   - guide: `H × W × 3` bytes, taken as 0…1.
///   - radius: Radius of the window in pixels of the guide. A side has `2·radius + 1` pixels.
///   - sigmaSpatial: σ_s, pixels of the guide.
///   - sigmaRange: σ_r, Euclidean distance of colors in 0…1.
///   - missing: The result of a pixel whose coarse pixel has no value.
///   - blocks: The pixels to filter; other pixels are only stretched. `nil` filters all pixels.
///   - cancellation: After a cancellation, the result is undefined.
/// - Returns: `H × W` values, which do not depend on the instruction set or the number of threads. For values
///   in 0…1, they are within 1e-5 of `Double` arithmetic.
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
  let kernels = RefinementKernels(isa)
  let (height, width) = (guide.height, guide.width)
  // The window is no larger than needed to cover the image.
  let radius = min(radius, max(height, width) - 1)
  let stretched = StretchedMap(map, height: height, width: width, threads: threads)
  let decay = logarithmicGaussian(radius: radius, sigma: sigmaSpatial)
  let scale = rangeScale(sigmaRange)
  return filledRows(
    height: height, width: width, grain: 16, threads: threads, cancellation: cancellation
  ) { chunk, out in
    let rows = GuidedRows(chunk, width: width, radius: radius)
    withScratch(5 * rows.plane) { planes in
      for y in max(0, chunk.lowerBound - radius)..<min(height, chunk.upperBound + radius) {
        let start = rows.start(y)
        kernels.planar(
          guide.pixels.span.extracting(y * width * 3..<(y + 1) * width * 3), scale: scale,
          into: &planes, at: start, plane: rows.plane)
        planes.withPart(3 * rows.plane + start..<3 * rows.plane + start + width) {
          stretched.fillValues(row: y, masked: true, kernels, into: &$0)
        }
        planes.withPart(4 * rows.plane + start..<4 * rows.plane + start + width) {
          stretched.fillWeights(row: y, masked: true, kernels, into: &$0)
        }
      }
      let single: [Float] = [0]
      for left in stride(from: 0, to: width, by: tileWidth) {
        let columns = left..<min(left + tileWidth, width)
        out.forEachRow(chunk, width: width) { y, out in
          for run in blocks?.runs(row: y, columns: columns) ?? [(columns, true)] {
            // With a window of one pixel, the result is value·weight / weight.
            let decay = run.isFiltered ? decay : single
            out.withPart(run.columns) {
              kernels.jointBilateral(
                rows, planes.span, at: rows.start(y) + run.columns.lowerBound, decay: decay.span,
                into: &$0)
            }
          }
        }
      }
      out.forEachRow(chunk, width: width) { y, out in stretched.mask(&out, at: y, missing: missing)
      }
    }
  }
}

/// The layout of the rows in the windows of a chunk: five planes with a margin of `radius` on all sides and
/// padding for reads beyond a row's end. Unfilled pixels have weight 0.
struct GuidedRows {
  /// Floats per row, and per plane.
  let pitch, plane: Int
  private let first, radius: Int

  init(_ chunk: Range<Int>, width: Int, radius: Int) {
    (first, self.radius) = (chunk.lowerBound, radius)
    pitch = width + 2 * radius + widestLanes
    plane = (chunk.count + 2 * radius) * pitch + widestLanes
  }

  /// The offset of pixel 0 of row `y` in its plane.
  func start(_ y: Int) -> Int { (y - first + radius) * pitch + radius }
}

/// Number of columns that are filtered together. Five planes of the rows of a 25-pixel window then fit a 1 MiB
/// second-level cache; whole rows of a 12-megapixel photo would not.
private let tileWidth = 512

/// log₂ of a Gaussian at −radius…radius, 0 at the center.
func logarithmicGaussian(radius: Int, sigma: Float) -> [Float] {
  (-radius...radius).map { Float(-0.5 * Double($0 * $0) / Double(sigma * sigma) / log(2.0)) }
}

/// The factor of bytes with which 2^−|difference|² is the Gaussian of `sigma` on colors in 0…1.
func rangeScale(_ sigma: Float) -> Float {
  Float((0.5 / log(2.0)).squareRoot() / Double(sigma) / 255)
}
