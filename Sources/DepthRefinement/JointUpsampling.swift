package import DepthBase
package import DepthImages

/// The window of a fine pixel in coarse pixels per side, for
/// ``jointUpsampled(_:guide:photo:window:sigmaRange:reciprocal:missing:blocks:edges:isa:threads:cancellation:)``.
/// At its border, the weight of a coarse pixel is 0, so the result has no seams.
package enum UpsamplingWindow: Int, Sendable, CaseIterable {
  /// 2 × 2, the tent of bilinear interpolation.
  case linear = 2
  /// 4 × 4, the cubic B-spline.
  case cubic = 4

  /// Weight of a coarse pixel at `distance` coarse pixels.
  func weight(_ distance: Double) -> Double {
    let t = abs(distance)
    switch self {
    case .linear: return max(0, 1 - t)
    case .cubic where t < 1: return 2.0 / 3 - t * t * (1 - t / 2)
    case .cubic: return max(0, 2 - t) * max(0, 2 - t) * max(0, 2 - t) / 6
    }
  }
}

/// Upsamples a coarse map to the size of a photo. Each fine pixel becomes the mean of the surrounding coarse pixels,
/// weighted by the similarity of their colors to the fine pixel's color.
///
/// `w = window(Δy)·window(Δx) · exp(−|photo(p) − guide(q)|² / 2σ_r²)`, times the map's weight. If no color of the
/// window is similar, the most similar color dominates.
///
/// - Parameters:
///   - map: `h × w` values with weights.
///   - guide: The photo at the map's size.
///   - photo: `H × W × 3` bytes, at least the map's size.
///   - sigmaRange: σ_r, Euclidean distance of colors in 0…1.
///   - reciprocal: Whether to return 1 / value, as from disparity to metres.
///   - missing: The result of a pixel whose coarse pixel has no value.
///   - blocks: The pixels to compute; other pixels become 0. `nil` for all pixels.
///   - edges: The pixels of the map that may be beside an edge. At other pixels, a 2 × 2 window ignores colors.
///     `nil` for all pixels.
///   - cancellation: After a cancellation, the result is undefined.
/// - Returns: `H × W` values, which do not depend on the instruction set or the number of threads.
/// - Complexity: `window²` exponentials per pixel.
///
/// > Source: J. Kopf et al. “Joint Bilateral Upsampling.” SIGGRAPH 2007, equation 4.
package func jointUpsampled(
  _ map: WeightedMap, guide: Image, photo: Image, window: UpsamplingWindow, sigmaRange: Float,
  reciprocal: Bool, missing: Float, blocks: FilteredBlocks? = nil,
  edges: FilteredBlocks? = nil, isa: InstructionSet = .current, threads: Int,
  cancellation: Cancellation? = nil
) -> [Float] {
  precondition(
    (guide.height, guide.width) == (map.height, map.width),
    "guide is \(guide.width)×\(guide.height), expected the map's \(map.width)×\(map.height)")
  precondition(sigmaRange > 0, "sigma is \(sigmaRange), expected positive")
  let kernels = RefinementKernels(isa)
  let (height, width, taps) = (photo.height, photo.width, window.rawValue)
  let scale = rangeScale(sigmaRange)
  let coarse = CoarseRows(map, guide: guide, scale: scale, taps: taps, threads: threads)
  let columns = UpsamplingAxis(window, from: map.width, to: width)
  let rows = UpsamplingAxis(window, from: map.height, to: height)
  let nearest = map.hasMissing ? nearestSamples(width, from: map.width) : []

  return filledRows(
    height: height, width: width, grain: 48, strided: true, threads: threads,
    cancellation: cancellation
  ) { chunk, out in
    var window = CoarseWindow(coarse, lines: rows, columns: columns, edges: edges)
    out.forEachRow(chunk, width: width) { y, out in
      window.move(to: y, kernels)
      for run in blocks?.runs(row: y, columns: 0..<width) ?? [(0..<width, true)] {
        out.withPart(run.columns) { out in
          guard run.isFiltered else { return out.update(repeating: 0) }
          let first = (y * width + run.columns.lowerBound) * 3
          kernels.jointUpsample(
            &window, columns: run.columns,
            rgb: photo.pixels.span.extracting(first..<first + run.columns.count * 3), scale: scale,
            reciprocal: reciprocal, into: &out)
        }
      }
      if map.hasMissing {
        maskMissing(
          &out, at: y, of: (height, width), by: map, columns: nearest, missing: missing)
      }
    }
  }
}

/// The start and weights of each fine pixel's window along an axis.
struct UpsamplingAxis: Sendable {
  /// First coarse pixel of the window, counted from the margin of `taps / 2` pixels before pixel 0. The array is
  /// padded like a track of weights.
  let base: [Int32]
  /// `taps` tracks of `pitch` weights. Track k belongs to coarse pixel `base + k`.
  let weights: [Float]
  let pitch: Int
  let taps: Int
  /// Number of coarse pixels, the largest number in `base`.
  let length: Int

  init(_ window: UpsamplingWindow, from length: Int, to count: Int) {
    let taps = window.rawValue
    let positions = (0..<count).map {
      (Double($0) + 0.5) * Double(length) / Double(count) - 0.5
    }
    let base = positions.map { Int($0.rounded(.down)) + 1 }
    let pitch = count + widestLanes
    var weights = [Float](repeating: 0, count: taps * pitch)
    for k in 0..<taps {
      for x in 0..<count {
        weights[k * pitch + x] = Float(
          window.weight(positions[x] - Double(base[x] - taps / 2 + k)))
      }
    }
    self.base = (base + [Int](repeating: base[count - 1], count: widestLanes)).map(Int32.init)
    (self.weights, self.pitch) = (weights, pitch)
    (self.taps, self.length) = (taps, length)
  }
}
