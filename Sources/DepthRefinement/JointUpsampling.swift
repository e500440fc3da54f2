import CDepthSIMD
package import DepthImages
package import SIMDKernels
package import ThreadTeams

/// How many coarse pixels a side a fine pixel of ``jointUpsampled(_:guide:photo:window:sigmaRange:reciprocal:missing:isa:threads:)``
/// looks at. The window falls to 0 where a coarse pixel leaves it, so the result has no seams.
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

/// Carries a coarse map to the size of a photo: each fine pixel becomes the mean of the coarse pixels
/// around it, weighted by how similar their color is to its own.
///
/// `w = window(Δy)·window(Δx) · exp(−|photo(p) − guide(q)|² / 2σ_r²)`, times the map's weight. Where no
/// color of the window is similar, the most similar one wins.
///
/// - Parameters:
///   - map: `h × w` values with weights.
///   - guide: The photo at the map's size.
///   - photo: `H × W × 3` bytes, at least the map's size.
///   - sigmaRange: σ_r, Euclidean distance of colors in 0…1.
///   - reciprocal: Whether to return 1 / value, as from disparity to metres.
///   - missing: What a pixel gets whose coarse pixel has no value.
///   - blocks: Which pixels to compute; the others become 0. `nil` for all.
///   - edges: Which pixels of the map may lie beside an edge; elsewhere a 2 × 2 window ignores colors. `nil`
///     for all.
///   - cancellation: Once it is cancelled, the result is undefined.
/// - Returns: `H × W` values; the same bits on every instruction set and for every number of threads.
/// - Complexity: `window²` exponentials a pixel.
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
  let kernels = isa.kernels.pointee
  let (height, width, taps) = (photo.height, photo.width, window.rawValue)
  let scale = rangeScale(sigmaRange)
  let coarse = CoarseRows(map, guide: guide, scale: scale, taps: taps, threads: threads)
  let columns = UpsamplingAxis(window, from: map.width, to: width)
  let rows = UpsamplingAxis(window, from: map.height, to: height)
  let nearest = map.hasMissing ? nearestSamples(width, from: map.width) : []

  return filledArray(count: height * width) { (result: UnsafeMutablePointer<Float>) in
    photo.pixels.withUnsafeBufferPointer { bytes in
      guard let bytes = bytes.baseAddress else { return }
      // Each chunk writes only the rows it was given.
      nonisolated(unsafe) let (pixels, out) = (bytes, result)
      parallelForStrided(height, grain: 48, threads: threads, cancellation: cancellation) { chunk in
        coarse.withWindows(rows, columns, edges: edges, kernels) { window in
          for y in chunk {
            let row = window(y)
            for run in blocks?.runs(row: y, columns: 0..<width) ?? [(0..<width, true)] {
              let (first, start) = (run.columns.lowerBound, y * width + run.columns.lowerBound)
              guard run.isFiltered else {
                (out + start).update(repeating: 0, count: run.columns.count)
                continue
              }
              kernels.refinement.joint_upsample(
                run.columns.count, taps, row.moved(by: first), scale, pixels + start * 3,
                reciprocal, out + start)
            }
            if map.hasMissing {
              maskMissing(
                out + y * width, at: y, of: (height, width), by: map, columns: nearest,
                missing: missing)
            }
          }
        }
      }
    }
  }
}

/// Where the window of each fine pixel of an axis begins, and its weights.
struct UpsamplingAxis: Sendable {
  /// First coarse pixel of the window, `taps / 2` pixels of margin before pixel 0 counted in; padded
  /// like a track of weights.
  let base: [Int32]
  /// `taps` tracks of `pitch` weights: track k belongs to coarse pixel `base + k`.
  let weights: [Float]
  let pitch: Int

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
  }
}

/// The coarse map and its guide as rows of five planes, the border repeated `taps / 2` times.
private struct CoarseRows: Sendable {
  let height, pitch, margin, taps: Int
  /// Row by row: red, green, blue, value·weight, weight; then room to read beyond the end.
  let planes: [Float]

  init(_ map: WeightedMap, guide: Image, scale: Float, taps: Int, threads: Int) {
    (height, margin, self.taps) = (map.height, taps / 2, taps)
    let (width, margin, pitch) = (map.width, taps / 2, map.width + taps)
    self.pitch = pitch
    let count = map.height * 5 * pitch
    planes = filledArray(count: count + widestLanes) { (out: UnsafeMutablePointer<Float>) in
      (out + count).update(repeating: 0, count: widestLanes)
      map.values.withUnsafeBufferPointer { levels in
        map.weights.withUnsafeBufferPointer { shares in
          guide.pixels.withUnsafeBufferPointer { bytes in
            // Each chunk writes only the rows it was given.
            nonisolated(unsafe) let (values, weights, pixels, out) = (levels, shares, bytes, out)
            parallelFor(map.height, grain: 32, threads: threads) { rows in
              for y in rows {
                let line = out + y * 5 * pitch
                for x in 0..<pitch {
                  let q = y * width + min(max(x - margin, 0), width - 1)
                  for c in 0..<3 { line[x + c * pitch] = Float(pixels[q * 3 + c]) * scale }
                  let weight = weights[q]
                  line[x + 3 * pitch] = weight > 0 ? values[q] * weight : 0
                  line[x + 4 * pitch] = weight
                }
              }
            }
          }
        }
      }
    }
  }

  /// Lends a function that gives what the windows of fine row `y` see, valid until its next call.
  func withWindows(
    _ axis: UpsamplingAxis, _ columns: UpsamplingAxis, edges allowed: FilteredBlocks?,
    _ kernels: ck_kernels, _ body: ((_ y: Int) -> ck_coarse_window) -> Void
  ) {
    planes.withUnsafeBufferPointer { planes in
      columns.weights.withUnsafeBufferPointer { shares in
        columns.base.withUnsafeBufferPointer { cells in
          guard let planes = planes.baseAddress, let shares = shares.baseAddress,
            let cells = cells.baseAddress
          else { return }
          let room = pitch + widestLanes
          withScratch(3 * room + taps) { edges in
            let (flat, windowY) = (edges + room, edges + 3 * room)
            withUnsafeTemporaryAllocation(of: UnsafePointer<Float>.self, capacity: taps) { rows in
              guard let slots = rows.baseAddress else { return }
              var seen: Int32?
              body { y in
                for j in 0..<taps { windowY[j] = axis.weights[j * axis.pitch + y] }
                if axis.base[y] != seen {
                  seen = axis.base[y]
                  for j in 0..<taps {
                    let row = min(max(Int(axis.base[y]) - margin + j, 0), height - 1)
                    (slots + j).initialize(to: planes + row * 5 * pitch)
                  }
                  if taps == 2 {
                    kernels.refinement.edge_cells(pitch, pitch, rows[0], rows[1], edges)
                    let row = min(max(Int(axis.base[y]) - margin, 0), height - 1)
                    for run in allowed?.runs(row: row, columns: 0..<pitch - taps) ?? []
                    where !run.isFiltered {
                      // Cell i holds columns i − 1 and i of the map.
                      (edges + run.columns.lowerBound).update(
                        repeating: 0, count: run.columns.count)
                    }
                  }
                }
                return ck_coarse_window(
                  rows: slots, pitch: pitch, window_y: windowY, cells: cells, window_x: shares,
                  track: columns.pitch, edges: edges, flat: flat)
              }
            }
          }
        }
      }
    }
  }
}

extension ck_coarse_window {
  /// The same windows from `columns` fine pixels on.
  fileprivate func moved(by columns: Int) -> ck_coarse_window {
    ck_coarse_window(
      rows: rows, pitch: pitch, window_y: window_y, cells: cells + columns,
      window_x: window_x + columns, track: track, edges: edges, flat: flat)
  }
}
