import ThreadTeams

/// By how much a map differs from a plane around each pixel: the root of the mean square of what a
/// least-squares plane through the window leaves.
///
/// The window is sampled at every `spacing`-th pixel. With `u = value(q) − value(p)` over its `N` samples
/// `q = p + (x, y)` and `S = Σx² = Σy²`,
///
///     r² = Σu²/N − (Σu/N)² − ((Σxu)² + (Σyu)²) / (N·S)
///
/// A neighbor without a value, or beyond the border, is taken to continue the line from the neighbor
/// opposite through `p`, so that a plane leaves 0 there too, whatever its slant. Where both
/// are missing, as in the corners of the map, both count as equal to `p`.
///
/// - Parameters:
///   - map: `h × w` values with weights; a weight above 0 is a value, whatever its size.
///   - radius: Half the window, which has `2·radius + 1` samples a side.
///   - spacing: Pixels from one sample to the next.
/// - Returns: `h × w` numbers in the unit of the map, 0 where there is no value; the same bits for every
///   number of threads.
package func planeResiduals(
  _ map: WeightedMap, radius: Int, spacing: Int, threads: Int
) -> [Float] {
  precondition(
    radius > 0 && spacing > 0, "radius is \(radius), spacing \(spacing), expected at least 1")
  let (height, width) = (map.height, map.width)
  let reach = radius * spacing
  let pitch = width + 2 * reach
  let samples = Float((2 * radius + 1) * (2 * radius + 1))
  // Of offsets in samples, as those in the sums are.
  let squares = samples * Float(radius * (radius + 1)) / 3

  return filledArray(count: height * width) { (result: UnsafeMutablePointer<Float>) in
    map.values.withUnsafeBufferPointer { values in
      map.weights.withUnsafeBufferPointer { weights in
        // Each chunk writes only the rows it was given.
        nonisolated(unsafe) let (values, weights, out) = (values, weights, result)
        parallelFor(height, grain: 16, threads: threads) { chunk in
          let rows = chunk.count + 2 * reach
          withScratch(2 * rows * pitch + 4 * width) { scratch in
            let (value, hasValue) = (scratch, scratch + rows * pitch)
            let sums = scratch + 2 * rows * pitch
            for y in max(chunk.lowerBound - reach, 0)..<min(chunk.upperBound + reach, height) {
              let start = (y - chunk.lowerBound + reach) * pitch + reach
              for x in 0..<width where weights[y * width + x] > 0 {
                (value[start + x], hasValue[start + x]) = (values[y * width + x], 1)
              }
            }
            for y in chunk {
              let start = (y - chunk.lowerBound + reach) * pitch + reach
              addDifferences(
                value + start, hasValue + start, pitch: pitch, count: width, radius: radius,
                spacing: spacing, sums)
              let row = out + y * width
              for x in 0..<width {
                let mean = sums[x] / samples
                let (across, down) = (sums[2 * width + x], sums[3 * width + x])
                let slope = (across * across + down * down) / (samples * squares)
                let square = sums[width + x] / samples - mean * mean - slope
                row[x] = hasValue[start + x] > 0 ? max(square, 0).squareRoot() : 0
              }
            }
          }
        }
      }
    }
  }
}

/// For each of `count` pixels of a row `Σu`, `Σu²`, `Σxu` and `Σyu`, one after the other; see
/// ``planeResiduals(_:radius:spacing:threads:)``.
private func addDifferences(
  _ value: UnsafePointer<Float>, _ hasValue: UnsafePointer<Float>, pitch: Int, count: Int,
  radius: Int, spacing: Int, _ sums: UnsafeMutablePointer<Float>
) {
  sums.update(repeating: 0, count: 4 * count)
  for dy in 0...radius {
    // Half of the window; each pixel comes with the one opposite.
    for dx in (dy == 0 ? 1 : -radius)...radius {
      let step = (dy * pitch + dx) * spacing
      let (factorX, factorY) = (Float(dx), Float(dy))
      for x in 0..<count {
        let here = value[x]
        let (hasNext, hasLast) = (hasValue[x + step] > 0, hasValue[x - step] > 0)
        let (ahead, behind) = (value[x + step] - here, value[x - step] - here)
        let next = hasNext ? ahead : hasLast ? -behind : 0
        let last = hasLast ? behind : hasNext ? -ahead : 0
        sums[x] += next + last
        sums[count + x] += next * next + last * last
        sums[2 * count + x] += factorX * (next - last)
        sums[3 * count + x] += factorY * (next - last)
      }
    }
  }
}
