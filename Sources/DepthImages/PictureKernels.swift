import CDepthSIMD
import DepthBase

/// The kernels on photos and maps of one instruction set.
///
/// Each function checks once, before the call, that all a kernel reads and writes lies inside the spans.
@safe
struct PictureKernels: Sendable {
  private let table: ck_pictures_kernels

  init(_ isa: InstructionSet) { unsafe table = isa.kernels.pointee.pictures }

  /// The range of the finite values of `x`, with `positive` of the positive ones: +∞ and −∞ when there are none.
  func valueRange(of x: Span<Float>, positive: Bool) -> ValueRange {
    var (low, high, missing) = (Float(0), Float(0), 0)
    unsafe x.withPointer {
      unsafe table.value_range(x.count, positive, $0, &low, &high, &missing)
    }
    return ValueRange(low: low, high: high, missing: missing)
  }

  /// `out[i] = a·u[i] + b·v[i]`.
  func blendRows(
    _ a: Double, _ u: Span<Double>, _ b: Double, _ v: Span<Double>,
    into out: inout MutableSpan<Double>
  ) {
    let count = out.count
    precondition(
      u.count == count && v.count == count, "\(u.count) and \(v.count) values, expected \(count)")
    unsafe u.withPointer { u in
      unsafe v.withPointer { v in
        unsafe out.withPointer { unsafe table.blend_rows(count, a, u, b, v, $0) }
      }
    }
  }

  /// `out[i] = Σ_k weights[k] · x[k·step + i]` for the first `count` elements of `out`, k in order from 0.
  func weightedBytes(
    _ weights: Span<Float>, _ x: Span<UInt8>, step: Int, count: Int,
    into out: inout MutableSpan<Float>
  ) {
    precondition(
      step >= 0 && count >= 0 && count <= out.count && !weights.isEmpty
        && (weights.count - 1) * step + count <= x.count,
      "\(weights.count) rows of \(count), \(step) apart, in \(x.count) bytes into \(out.count)")
    unsafe weights.withPointer { shares in
      unsafe x.withPointer { x in
        unsafe out.withPointer {
          unsafe table.weighted_bytes(count, weights.count, shares, x, step, $0)
        }
      }
    }
  }

  /// One RGB row of the table's pixels from a row of floats that is one longer than its pixels.
  func average(_ row: Span<Float>, _ table: SampleTable, into out: inout MutableSpan<UInt8>) {
    let (count, taps) = (table.first.count, table.taps)
    precondition(
      row.count > table.length * 3 && out.count == count * 3 && table.weights.count == count * taps,
      "\(row.count) floats for \(table.length) pixels to \(out.count) bytes for \(count)")
    unsafe row.withPointer { row in
      unsafe table.weights.span.withPointer { weights in
        unsafe out.withPointer { out in
          for x in 0..<count {
            // Half a step, so that cutting off the fraction rounds to nearest.
            var color = SIMD4<Float>(repeating: 0.5)
            var source = unsafe UnsafeRawPointer(row + table.first[x] * 3)
            for k in x * taps..<(x + 1) * taps {
              unsafe color += weights[k] * source.loadUnaligned(as: SIMD4<Float>.self)
              unsafe source += 3 * MemoryLayout<Float>.stride
            }
            for c in 0..<3 { unsafe out[x * 3 + c] = UInt8(min(color[c], 255)) }
          }
        }
      }
    }
  }

  /// One row of RGB: `clip(A · left + B · right)` in linear light.
  static func mix(
    _ left: Span<UInt8>, _ a: MatrixColumns, _ right: Span<UInt8>, _ b: MatrixColumns,
    into out: inout MutableSpan<UInt8>
  ) {
    let (linear, coded, count) = (SRGB.linear, SRGB.coded, out.count / 3)
    precondition(
      left.count == count * 3 && right.count == count * 3 && out.count == count * 3
        && linear.count == 256 && coded.count == 1 + Int(SRGB.steps),
      "rows of \(left.count) and \(right.count) bytes to \(out.count)")
    unsafe left.withPointer { left in
      unsafe right.withPointer { right in
        unsafe linear.span.withPointer { linear in
          unsafe coded.span.withPointer { coded in
            unsafe out.withPointer { out in
              for x in 0..<count {
                let (l, r, out) = unsafe (left + 3 * x, right + 3 * x, out + 3 * x)
                let fromLeft = unsafe a.times(
                  linear[Int(l[0])], linear[Int(l[1])], linear[Int(l[2])])
                let fromRight = unsafe b.times(
                  linear[Int(r[0])], linear[Int(r[1])], linear[Int(r[2])])
                let sum = fromLeft + fromRight
                // Unlike `clamped`, these are inlined.
                let light = sum.replacing(with: 0, where: sum .< 0)
                  .replacing(with: 1, where: sum .> 1)
                let steps = light * SRGB.steps + 0.5
                for c in 0..<3 { unsafe out[c] = coded[Int(steps[c])] }
              }
            }
          }
        }
      }
    }
  }

  /// `out[i] = Σ_t weights[t] · x[t·stride + i]`, weights in 1/2²², rounded and clamped.
  func resampleRows(
    _ weights: Span<Int32>, _ x: Span<UInt8>, stride: Int, into out: inout MutableSpan<UInt8>
  ) {
    let (count, taps) = (out.count, weights.count)
    precondition(
      stride >= 0 && taps > 0 && (taps - 1) * stride + count <= x.count,
      "\(taps) rows of \(count), \(stride) apart, in \(x.count) bytes")
    unsafe weights.withPointer { weights in
      unsafe x.withPointer { x in
        unsafe out.withPointer {
          unsafe table.resample_rows(count, taps, weights, stride, x, $0)
        }
      }
    }
  }

  /// Resamples whole rows of interleaved RGB along the row.
  ///
  /// - Parameters:
  ///   - x: Rows of `rowBytes` bytes.
  ///   - out: As many rows with one pixel for each window of the tables.
  /// - Precondition: The tables are for rows of `rowBytes` bytes.
  func resampleRGB(
    _ tables: LanczosTables, _ x: Span<UInt8>, rowBytes: Int, into out: inout MutableSpan<UInt8>
  ) {
    let pixels = tables.rgbStarts.count
    let rows = x.count / rowBytes
    precondition(
      rowBytes == tables.windows.inputs * 3 && x.count == rows * rowBytes
        && out.count == rows * pixels * 3,
      "\(x.count) bytes in rows of \(rowBytes) to \(out.count) in rows of \(pixels * 3)")
    // The tables hold `rgbPitch` weights for each window and windows that end at `rgbReach` or before.
    unsafe tables.rgbStarts.span.withPointer { starts in
      unsafe tables.rgbWeights.span.withPointer { weights in
        unsafe x.withPointer { x in
          unsafe out.withPointer { out in
            let size = 8 * (tables.rgbReach + pixels * 3)
            unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { scratch in
              guard let scratch = scratch.baseAddress else { return }
              unsafe table.resample_rgb(
                rows, pixels, starts, tables.windows.taps * 3, tables.rgbPitch, weights, rowBytes,
                rowBytes, x, pixels * 3, out, tables.rgbReach, scratch)
            }
          }
        }
      }
    }
  }
}
