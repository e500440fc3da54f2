package import DepthBase
import SystemEssentials

/// Stretches a map linearly to `height × width`, and blurs it by a Gaussian truncated at `radius`. Each pixel
/// becomes the mean of the pixels with a value inside the image, along rows and then down columns.
///
/// - Parameters:
///   - map: `h × w` values with weights.
///   - radius: Radius of the window, pixels of the result.
///   - sigma: Standard deviation, pixels of the result.
///   - missing: The result of a pixel whose coarse pixel has no value.
///   - cancellation: After a cancellation, the result is undefined.
/// - Returns: `height × width` values.
package func gaussianBlurred(
  _ map: WeightedMap, height: Int, width: Int, radius: Int, sigma: Float, missing: Float,
  isa: InstructionSet = .current, threads: Int, cancellation: Cancellation? = nil
) -> [Float] {
  precondition(radius >= 0 && sigma > 0, "radius \(radius), sigma \(sigma), expected positive")
  let kernels = RefinementKernels(isa)
  let radius = min(radius, max(height, width) - 1)
  let stretched = StretchedMap(map, height: height, width: width, threads: threads)
  let weights = logarithmicGaussian(radius: radius, sigma: sigma).map(exp2)
  let pitch = width + widestLanes
  return filledRows(
    height: height, width: width, grain: 16, threads: threads, cancellation: cancellation
  ) { chunk, out in
    // The buffer has rows blurred along themselves, one unblurred row with margins, and a sum.
    let plane = (chunk.count + 2 * radius) * pitch
    var values = [Float](repeating: 0, count: plane)
    var shares = [Float](repeating: 0, count: plane)
    var padded = [Float](repeating: 0, count: width + 2 * radius + widestLanes)
    var norm = [Float](repeating: 0, count: width)
    func start(_ y: Int) -> Int { (y - chunk.lowerBound + radius) * pitch }
    func blurAlong(_ y: Int, into plane: inout [Float], fill: (inout MutableSpan<Float>) -> Void) {
      var row = padded.mutableSpan
      row.withPart(radius..<radius + width) { fill(&$0) }
      var plane = plane.mutableSpan
      plane.withPart(start(y)..<start(y) + width) {
        kernels.weightedSum(weights.span, row.span, step: 1, into: &$0)
      }
    }
    for y in max(0, chunk.lowerBound - radius)..<min(height, chunk.upperBound + radius) {
      blurAlong(y, into: &values) {
        stretched.fillValues(row: y, masked: true, kernels, into: &$0)
      }
      blurAlong(y, into: &shares) {
        stretched.fillWeights(row: y, masked: true, kernels, into: &$0)
      }
    }
    var norms = norm.mutableSpan
    out.forEachRow(chunk, width: width) { y, row in
      let first = start(y - radius)
      kernels.weightedSum(
        weights.span, values.span.extracting(droppingFirst: first), step: pitch, into: &row)
      kernels.weightedSum(
        weights.span, shares.span.extracting(droppingFirst: first), step: pitch, into: &norms)
      for x in 0..<width { row[x] = norms[x] > 0 ? row[x] / norms[x] : 0 }
      stretched.mask(&row, at: y, missing: missing)
    }
  }
}
