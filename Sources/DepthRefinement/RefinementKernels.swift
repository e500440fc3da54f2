import CDepthSIMD
import DepthBase

/// The joint filter kernels of one instruction set.
///
/// Each function first checks that a kernel accesses no memory outside the spans, including lanes beyond a row's end.
@safe
struct RefinementKernels: Sendable {
  private let table: ck_refinement_kernels

  init(_ isa: InstructionSet) { unsafe table = isa.kernels.pointee.refinement }

  /// Converts a row of interleaved bytes to three planes of floats, multiplied by `scale`. Pixel x of plane c is at
  /// `start + c·plane + x` of `out`.
  func planar(
    _ rgb: Span<UInt8>, scale: Float, into out: inout MutableSpan<Float>, at start: Int, plane: Int
  ) {
    let count = rgb.count / 3
    precondition(
      start >= 0 && plane >= count && start + 2 * plane + count <= out.count,
      "planes of \(plane) from \(start) in \(out.count) floats, expected \(count) in each")
    unsafe rgb.withPointer { rgb in
      unsafe out.withPointer {
        let red = unsafe $0 + start
        unsafe table.planar(count, scale, rgb, red, red + plane, red + 2 * plane)
      }
    }
  }

  /// Computes `out[i] = Σ_k weights[k] · x[i + k·step]`; `x` is padded for reads beyond the last element.
  func weightedSum(
    _ weights: Span<Float>, _ x: Span<Float>, step: Int, into out: inout MutableSpan<Float>
  ) {
    let (count, taps) = (out.count, weights.count)
    precondition(
      step >= 0 && taps > 0 && (taps - 1) * step + count + widestLanes - 1 <= x.count,
      "\(taps) rows of \(count), \(step) apart, in \(x.count) floats")
    unsafe weights.withPointer { weights in
      unsafe x.withPointer { x in
        unsafe out.withPointer { unsafe table.weighted_sum(count, taps, weights, x, step, $0) }
      }
    }
  }

  /// The weights of one row of a map, reduced where the map is steep; see
  /// ``WeightedMap/downweightingSlopes(_:relative:isa:threads:)``.
  ///
  /// - Parameters:
  ///   - values: The row and the existing adjacent rows.
  ///   - weights: The weights of these rows.
  ///   - row: The index of the row in these rows.
  ///   - missing: Whether any weight of the map is 0.
  func slopeWeights(
    _ values: Span<Float>, _ weights: Span<Float>, row: Int, missing: Bool, relative: Bool,
    tolerance: Float, into out: inout MutableSpan<Float>
  ) {
    let (width, start) = (out.count, row * out.count)
    precondition(
      width > 0 && row >= 0 && weights.count == values.count && start + width <= values.count,
      "row \(row) of \(width) in \(values.count) values and \(weights.count) weights")
    let inside = row > 0 && start + 2 * width <= values.count
    unsafe values.withPointer { values in
      unsafe weights.withPointer { weights in
        unsafe out.withPointer {
          unsafe table.slope_weights(
            width, inside, missing, relative, tolerance, values + start, weights + start, $0)
        }
      }
    }
  }

  /// Joint bilateral filter of as many pixels of a row as `out` has. A pixel whose window has no weight becomes 0.
  ///
  /// - Parameters:
  ///   - rows: Red, green, blue, value·weight and weight; see ``GuidedRows``.
  ///   - start: The offset of the first pixel in its plane, `radius` rows and pixels away from each side.
  ///   - decay: `2·radius + 1` base-2 logarithms of the spatial Gaussian along one axis.
  func jointBilateral(
    _ rows: GuidedRows, _ planes: Span<Float>, at start: Int, decay: Span<Float>,
    into out: inout MutableSpan<Float>
  ) {
    let (count, radius) = (out.count, decay.count / 2)
    let reach = radius * rows.pitch + radius
    precondition(
      decay.count == 2 * radius + 1 && start >= reach && rows.pitch >= 0
        && start + reach + count + widestLanes <= rows.plane && planes.count >= 5 * rows.plane,
      "\(count) pixels at \(start), windows of \(decay.count), in \(planes.count) floats")
    unsafe planes.withPointer { planes in
      let red = unsafe planes + start
      let row = unsafe ck_guided_row(
        red: red, green: red + rows.plane, blue: red + 2 * rows.plane, value: red + 3 * rows.plane,
        weight: red + 4 * rows.plane, pitch: rows.pitch)
      unsafe decay.withPointer { decay in
        unsafe out.withPointer { unsafe table.joint_bilateral(count, radius, decay, row, $0) }
      }
    }
  }

  /// Finds the columns with an edge in two coarse rows. All bits of these columns are set; other columns are 0.
  ///
  /// - Parameter pitch: Floats per plane. Each row has five planes, and padding for reads beyond the last plane.
  func edgeCells(
    top: Span<Float>, bottom: Span<Float>, pitch: Int, into edges: inout MutableSpan<Float>
  ) {
    let seen = 5 * pitch + widestLanes
    precondition(
      pitch > 0 && min(top.count, bottom.count) >= seen && edges.count >= pitch + widestLanes,
      "\(top.count) and \(bottom.count) floats to \(edges.count), expected rows of \(seen)")
    unsafe top.withPointer { top in
      unsafe bottom.withPointer { bottom in
        unsafe edges.withPointer { unsafe table.edge_cells(pitch, pitch, top, bottom, $0) }
      }
    }
  }

  /// Joint upsampling of the pixels `columns` of a fine row.
  ///
  /// - Parameters:
  ///   - window: The windows of the row, whose scratch for sums is overwritten.
  ///   - rgb: The photo's bytes, beginning at the first of `columns`.
  ///   - scale: The factor of the coarse guide's bytes.
  ///   - reciprocal: Whether to return the reciprocals of the quotients.
  ///   - out: One value per column of `columns`.
  func jointUpsample(
    _ window: inout CoarseWindow, columns: Range<Int>, rgb: Span<UInt8>, scale: Float,
    reciprocal: Bool, into out: inout MutableSpan<Float>
  ) {
    let (rows, axis) = (window.rows, window.columns)
    let (taps, pitch, end) = (rows.taps, rows.pitch, columns.upperBound + widestLanes)
    // No cell is beyond its axis, so `pitch` suffices for all windows.
    precondition(
      columns.lowerBound >= 0 && end <= axis.base.count && axis.taps == taps
        && (taps - 1) * axis.pitch + end <= axis.weights.count && axis.length + taps <= pitch,
      "columns \(columns) of \(axis.base.count), \(taps) taps of \(axis.taps)")
    precondition(
      out.count == columns.count && rgb.count >= 3 * columns.count
        && window.starts.count == taps && window.shares.count == taps
        && window.edges.count >= pitch + widestLanes
        && window.sums.count >= 2 * (pitch + widestLanes)
        && window.starts.allSatisfy { $0 >= 0 && $0 + 5 * pitch + widestLanes <= rows.planes.count },
      "\(rgb.count) bytes to \(out.count) values of columns \(columns)")
    let (starts, shares, edges) = (window.starts, window.shares, window.edges)
    var sums = window.sums.mutableSpan
    unsafe sums.withPointer { sums in
      unsafe rows.planes.span.withPointer { planes in
        unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<Float>.self, capacity: taps) {
          slots in
          for j in 0..<taps {
            unsafe slots.initializeElement(at: j, to: planes + starts[j])
          }
          unsafe shares.span.withPointer { shares in
            unsafe axis.base.span.withPointer { cells in
              unsafe axis.weights.span.withPointer { weights in
                unsafe edges.span.withPointer { edges in
                  let first = columns.lowerBound
                  let seen = unsafe ck_coarse_window(
                    rows: slots.baseAddress!, pitch: pitch, window_y: shares, cells: cells + first,
                    window_x: weights + first, track: axis.pitch, edges: edges, flat: sums)
                  unsafe rgb.withPointer { rgb in
                    unsafe out.withPointer {
                      unsafe table.joint_upsample(
                        columns.count, taps, seen, scale, rgb, reciprocal, $0)
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}
