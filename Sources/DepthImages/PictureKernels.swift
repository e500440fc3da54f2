import CDepthSIMD
import DepthBase

/// The photo and map kernels of one instruction set.
///
/// Each function first checks that all memory a kernel accesses is inside the spans.
@safe
struct PictureKernels: Sendable {
  private let table: ck_pictures_kernels

  init(_ isa: InstructionSet) { unsafe table = isa.kernels.pointee.pictures }

  /// The range of the finite values of `x`, or with `positive`, of the positive values. +∞ and −∞ without such values.
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

  /// Averages one RGB row by a table. The row of floats has one extra float at the end.
  func average(_ row: Span<Float>, _ table: SampleTable, into out: inout MutableSpan<UInt8>) {
    let (count, taps) = (table.first.count, table.taps)
    precondition(
      row.count > table.length * 3 && out.count == count * 3 && table.weights.count == count * taps,
      "\(row.count) floats for \(table.length) pixels to \(out.count) bytes for \(count)")
    unsafe row.withPointer { row in
      unsafe table.weights.span.withPointer { weights in
        unsafe table.first.span.withPointer { first in
          unsafe out.withPointer {
            unsafe self.table.average_row(count, taps, first, weights, row, $0)
          }
        }
      }
    }
  }

  /// Computes one row of floats, three per pixel, from windows of four pixels: `sum · factors − offsets`.
  ///
  /// - Parameters:
  ///   - first: First pixels of the windows, in a row of `length` pixels and one extra float.
  ///   - weights: Four per window.
  /// - Precondition: Each window is inside the row.
  func bicubic(
    _ row: Span<Float>, length: Int, first: [Int], weights: [Float], factors: SIMD3<Float>,
    offsets: SIMD3<Float>, into out: inout MutableSpan<Float>
  ) {
    let count = first.count
    precondition(
      row.count > length * 3 && out.count == count * 3 && weights.count == count * 4
        && first.allSatisfy { $0 >= 0 && $0 + 4 <= length },
      "\(row.count) floats for \(length) pixels to \(out.count) floats for \(count)")
    let (scale, mean) = (SIMD4(factors, 0), SIMD4(offsets, 0))
    unsafe row.withPointer { row in
      unsafe weights.span.withPointer { weights in
        unsafe first.span.withPointer { first in
          unsafe withUnsafeBytes(of: scale) { scale in
            unsafe withUnsafeBytes(of: mean) { mean in
              unsafe out.withPointer {
                unsafe table.bicubic_row(
                  count, first, weights,
                  scale.baseAddress!.assumingMemoryBound(to: Float.self),
                  mean.baseAddress!.assumingMemoryBound(to: Float.self), row, $0)
              }
            }
          }
        }
      }
    }
  }

  /// Adds `share` of the light of a row of RGB to four sums per pixel of the result.
  ///
  /// - Parameter linear: Light of each byte.
  func addArea(
    _ windows: AreaWindows, share: Float, _ linear: [Float], _ row: Span<UInt8>,
    into sums: inout MutableSpan<Float>
  ) {
    let count = windows.first.count
    precondition(
      row.count == windows.length * 3 && sums.count == count * 4 && linear.count == 256,
      "\(row.count) bytes for \(windows.length) pixels to \(sums.count) sums for \(count)")
    unsafe windows.first.span.withPointer { first in
      unsafe windows.weights.span.withPointer { weights in
        unsafe linear.span.withPointer { linear in
          unsafe row.withPointer { row in
            unsafe sums.withPointer {
              unsafe table.add_area(count, windows.taps, first, weights, share, linear, row, $0)
            }
          }
        }
      }
    }
  }

  /// Converts sums of light to the nearest bytes, and resets the sums to 0.
  func codeLight(
    _ codes: LightCodes, of sums: inout MutableSpan<Float>, into out: inout MutableSpan<UInt8>
  ) {
    let count = out.count / 3
    precondition(
      out.count == count * 3 && sums.count == count * 4, "\(sums.count) sums to \(out.count) bytes")
    unsafe codes.codes.span.withPointer { bytes in
      unsafe codes.thresholds.span.withPointer { thresholds in
        unsafe sums.withPointer { sums in
          unsafe out.withPointer { unsafe table.code_light(count, bytes, thresholds, sums, $0) }
        }
      }
    }
  }

  /// Mixes two rows of RGB in linear light.
  ///
  /// - Parameter coded: The byte of each step of light.
  func mix(
    _ left: Span<UInt8>, _ right: Span<UInt8>, _ products: LightProducts, coded: [UInt8],
    into out: inout MutableSpan<UInt8>
  ) {
    let count = out.count / 3
    precondition(
      left.count == count * 3 && right.count == count * 3 && out.count == count * 3
        && products.values.count == 6 * 256 * 4 && coded.count == 1 + Int(SRGB.steps),
      "rows of \(left.count) and \(right.count) bytes to \(out.count)")
    unsafe left.withPointer { left in
      unsafe right.withPointer { right in
        unsafe products.values.span.withPointer { products in
          unsafe coded.span.withPointer { coded in
            unsafe out.withPointer {
              unsafe table.mix_row(count, products, SRGB.steps, coded, left, right, $0)
            }
          }
        }
      }
    }
  }

  /// Converts values or their reciprocals to levels 0…`steps`: `(v − low) · scale`, rounded.
  ///
  /// - Parameter missing: The level of numbers that are not finite, and with `positive` also of numbers that
  ///   are not above 0.
  func levels(
    of x: Span<Float>, positive: Bool, reciprocal: Bool, low: Float, scale: Float, steps: Int,
    missing: UInt16, into out: inout MutableSpan<UInt16>
  ) {
    let count = out.count
    precondition(
      x.count == count && steps >= 0 && steps <= 65535, "\(x.count) values to \(count) levels")
    unsafe x.withPointer { x in
      unsafe out.withPointer {
        unsafe table.levels(count, positive, reciprocal, low, scale, Float(steps), missing, x, $0)
      }
    }
  }

  /// The colors of levels.
  ///
  /// - Parameter colors: Four bytes per level; the last is unused.
  /// - Precondition: Every level has a color.
  func colors(
    of levels: Span<UInt16>, _ colors: [UInt8], into out: inout MutableSpan<UInt8>
  ) {
    let count = levels.count
    precondition(out.count == count * 3, "\(count) levels to \(out.count) bytes")
    unsafe levels.withPointer { levels in
      unsafe colors.span.withPointer { colors in
        unsafe out.withPointer { unsafe table.color_levels(count, colors, levels, $0) }
      }
    }
  }

  /// `out[i] = Σ_t weights[t] · x[t·stride + i]`, rounded and clamped. Weights are in units of 1/2²².
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
  ///   - out: The same number of rows, with one pixel per window of the tables.
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
    // The tables have `rgbPitch` weights per window, and windows end at `rgbReach` or before.
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
