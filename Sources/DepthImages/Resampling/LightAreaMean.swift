package import DepthBase

/// Resizes a picture by averaging the light of the source area under each target pixel. Fine black and white
/// stripes become the gray that an eye sees from afar.
///
/// ``areaAveraged(_:height:width:isa:threads:)`` averages coded values, as in networks' training, and
/// interpolates where an axis grows.
package func resizedByArea(
  _ pixels: [UInt8], height: Int, width: Int, toHeight: Int, toWidth: Int,
  isa: InstructionSet = .current, threads: Int
) -> [UInt8] {
  precondition(pixels.count == height * width * 3 && toHeight > 0 && toWidth > 0)
  if height == toHeight && width == toWidth { return pixels }
  let rows = AreaWindows(of: toHeight, over: height)
  let columns = AreaWindows(of: toWidth, over: width)
  let (kernels, linear, codes) = (PictureKernels(isa), SRGB.linear, SRGB.codes)
  return filledRows(height: toHeight, width: toWidth * 3, grain: 8, threads: threads) {
    chunk, out in
    withScratch(toWidth * 4) { sums in
      out.forEachRow(chunk, width: toWidth * 3) { y, out in
        for tap in 0..<rows.taps {
          let (row, share) = (rows.first[y] + tap, rows.weights[y * rows.taps + tap])
          guard share > 0 else { continue }
          kernels.addArea(
            columns, share: share, linear,
            pixels.span.extracting(row * width * 3..<(row + 1) * width * 3), into: &sums)
        }
        kernels.codeLight(codes, of: &sums, into: &out)
      }
    }
  }
}

/// The source pixels under each target pixel along one axis, with their shares.
struct AreaWindows: Sendable {
  let first: [Int]
  /// `taps` weights per target pixel, with sum 1.
  let weights: [Float]
  let taps: Int
  /// Number of source pixels. All windows are inside the source.
  let length: Int

  init(of count: Int, over source: Int) {
    // The ends of windows are integers in units of 1 / count source pixels.
    let spans = (0..<count).map { (index: Int) -> ClosedRange<Int> in
      index * source / count...((index + 1) * source - 1) / count
    }
    let taps = spans.map(\.count).max() ?? 1
    var weights = [Float](repeating: 0, count: count * taps)
    first = spans.enumerated().map { index, span in
      // Windows beyond the border are shifted inside, so that loops need no bounds checks.
      let first = min(span.lowerBound, source - taps)
      for pixel in span {
        let covered =
          min((index + 1) * source, (pixel + 1) * count) - max(index * source, pixel * count)
        weights[index * taps + pixel - first] = Float(covered) / Float(source)
      }
      return first
    }
    (self.weights, self.taps, length) = (weights, taps, source)
  }
}
