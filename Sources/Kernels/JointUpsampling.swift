import CKernels
package import Tensors

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
/// around it, weighted by how alike their colour is to its own.
///
/// `w = window(Δy)·window(Δx) · exp(−|photo(p) − guide(q)|² / 2σ_r²)`, times the map's weight. Where no
/// colour of the window comes near, the nearest one wins.
///
/// - Parameters:
///   - map: `h × w` values with weights.
///   - guide: The photo at the map's size.
///   - photo: `H × W × 3` bytes, at least the map's size.
///   - sigmaRange: σ_r, Euclidean distance of colours in 0…1.
///   - reciprocal: Whether to return 1 / value, as from disparity to metres.
///   - missing: What a pixel gets whose coarse pixel has no value.
/// - Returns: `H × W` values; the same bits on every instruction set and for every number of threads.
/// - Complexity: `window²` exponentials a pixel.
///
/// > Source: J. Kopf et al. “Joint Bilateral Upsampling.” SIGGRAPH 2007, equation 4.
package func jointUpsampled(
  _ map: WeightedMap, guide: Image, photo: Image, window: UpsamplingWindow, sigmaRange: Float,
  reciprocal: Bool, missing: Float, isa: InstructionSet = .current, threads: Int
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
  let nearest = nearestIndices(width, from: map.width)
  let pitch = columns.pitch

  return filledArray(count: height * width) { (result: UnsafeMutablePointer<Float>) in
    photo.pixels.withUnsafeBufferPointer { bytes in
      guard let bytes = bytes.baseAddress else { return }
      // Each chunk writes the rows it was given and no others.
      nonisolated(unsafe) let (pixels, out) = (bytes, result)
      parallelFor(height, grain: 48, threads: threads) { chunk in
        let block = 5 * taps * pitch
        withScratch(taps * block + 3 * pitch) { scratch in
          let colours = scratch + taps * block
          var held = [Int](repeating: .min, count: taps)
          var windowY = [Float](repeating: 0, count: taps)
          for y in chunk {
            let slots = (0..<taps).map { j -> UnsafePointer<Float> in
              let row = rows.base[y] + j
              // Rows come in order, so `taps` slots hold the window that slides over them.
              let slot = ((row % taps) + taps) % taps
              if held[slot] != row {
                coarse.stretch(row: row, columns, into: scratch + slot * block)
                held[slot] = row
              }
              windowY[j] = rows.weights[j * rows.pitch + y]
              return UnsafePointer(scratch + slot * block)
            }
            kernels.planar(
              width, scale, pixels + y * width * 3, colours, colours + pitch, colours + 2 * pitch)
            kernels.joint_upsample(
              width, taps, slots, pitch, windowY, columns.weights, colours, colours + pitch,
              colours + 2 * pitch, reciprocal, out + y * width)
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
  /// First coarse pixel of the window; may lie outside, where the border repeats.
  let base: [Int]
  /// `taps` tracks of `pitch` weights: track k belongs to coarse pixel `base + k`.
  let weights: [Float]
  let pitch: Int
  /// Runs of fine pixels that share a window: the first of each, then the end of the last.
  let runs: [Int]

  init(_ window: UpsamplingWindow, from length: Int, to count: Int) {
    let taps = window.rawValue
    let positions = (0..<count).map {
      (Double($0) + 0.5) * Double(length) / Double(count) - 0.5
    }
    let base = positions.map { Int($0.rounded(.down)) - taps / 2 + 1 }
    let pitch = count + widestLanes
    var weights = [Float](repeating: 0, count: taps * pitch)
    for k in 0..<taps {
      for x in 0..<count {
        weights[k * pitch + x] = Float(window.weight(positions[x] - Double(base[x] + k)))
      }
    }
    runs = (0..<count).filter { $0 == 0 || base[$0] != base[$0 - 1] } + [count]
    (self.base, self.weights, self.pitch) = (base, weights, pitch)
  }
}

/// The coarse map and its guide as rows of five planes, the border repeated `taps / 2` times.
private struct CoarseRows: Sendable {
  let height, pitch, margin, taps: Int
  /// Row by row: red, green, blue, value·weight, weight.
  let planes: [Float]

  init(_ map: WeightedMap, guide: Image, scale: Float, taps: Int, threads: Int) {
    (height, margin, self.taps) = (map.height, taps / 2, taps)
    let (width, margin, pitch) = (map.width, taps / 2, map.width + taps)
    self.pitch = pitch
    planes = filledArray(count: map.height * 5 * pitch) { (out: UnsafeMutablePointer<Float>) in
      map.values.withUnsafeBufferPointer { levels in
        map.weights.withUnsafeBufferPointer { shares in
          guide.pixels.withUnsafeBufferPointer { bytes in
            // Each chunk writes the rows it was given and no others.
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

  /// Writes one coarse row at the fine width: five planes of `taps` tracks.
  func stretch(row: Int, _ columns: UpsamplingAxis, into out: UnsafeMutablePointer<Float>) {
    let line = min(max(row, 0), height - 1) * 5 * pitch
    planes.withUnsafeBufferPointer { planes in
      columns.runs.withUnsafeBufferPointer { runs in
        for plane in 0..<5 {
          for k in 0..<taps {
            let track = out + (plane * taps + k) * columns.pitch
            let source = line + plane * pitch + margin + k
            for run in 0..<runs.count - 1 {
              let value = SIMD8<Float>(repeating: planes[source + columns.base[runs[run]]])
              // Whole vectors run over the end of the run; the next run, or the margin, takes that.
              var x = runs[run]
              repeat {
                UnsafeMutableRawPointer(track + x).storeBytes(of: value, as: SIMD8<Float>.self)
                x += 8
              } while x < runs[run + 1]
            }
          }
        }
      }
    }
  }
}
