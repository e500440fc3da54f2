import CDepthSIMD
import DepthBase
import DepthImages

/// The effect kernels of one instruction set.
///
/// Each function first checks that all memory a kernel accesses is inside the spans.
@safe
struct EffectKernels: Sendable {
  private let table: ck_effects_kernels

  init(_ isa: InstructionSet) { unsafe table = isa.kernels.pointee.effects }

  /// Computes defocus levels: `v · slope + intercept`, rounded, where v is a value or its reciprocal.
  func defocusLevels(
    of depth: Span<Float>, reciprocal: Bool, slope: Float, intercept: Float, limit: Float,
    into out: inout MutableSpan<Int16>
  ) {
    let count = out.count
    precondition(
      depth.count == count && limit < 32768, "\(depth.count) values to \(count), up to \(limit)")
    unsafe depth.withPointer { depth in
      unsafe out.withPointer {
        unsafe table.defocus_levels(count, reciprocal, slope, intercept, limit, depth, $0)
      }
    }
  }

  /// The columns of a row where one of the eight neighbors is more than `edge` lower.
  func columnsBesideFarther(
    _ row: Span<Int16>, above: Span<Int16>, below: Span<Int16>, edge: Int
  ) -> [Int32] {
    let count = row.count
    precondition(
      count > 0 && above.count == count && below.count == count,
      "rows of \(above.count), \(count) and \(below.count)")
    var lowest = [Int16](repeating: 0, count: count + 2)
    var memory = lowest.mutableSpan
    return unsafe [Int32](unsafeUninitializedCapacity: count) { columns, found in
      unsafe row.withPointer { row in
        unsafe above.withPointer { above in
          unsafe below.withPointer { below in
            unsafe memory.withPointer { lowest in
              found = unsafe table.beside_farther(
                count, Int32(edge), above, row, below, lowest, columns.baseAddress!)
            }
          }
        }
      }
    }
  }

  /// Converts a row of RGB to red, green, blue and 1 in linear light.
  func light(_ linear: [Float], _ rgb: Span<UInt8>, into light: inout MutableSpan<Float>) {
    let count = rgb.count / 3
    precondition(
      linear.count == 256 && rgb.count == count * 3 && light.count == count * 4,
      "\(rgb.count) bytes to \(light.count) floats")
    unsafe linear.span.withPointer { linear in
      unsafe rgb.withPointer { rgb in
        unsafe light.withPointer { unsafe table.lens_light(count, linear, rgb, $0) }
      }
    }
  }

  /// Appends a row's runs of one defocus level.
  func appendRuns(of levels: Span<Int16>, to runs: inout [ck_lens_run]) {
    runs += unsafe [ck_lens_run](unsafeUninitializedCapacity: levels.count) { runs, found in
      guard let first = runs.baseAddress else { return }
      unsafe levels.withPointer { found = unsafe table.lens_runs(levels.count, $0, first) }
    }
  }

  /// Adds the light of a row of pixels to the row `distance` below.
  ///
  /// - Parameters:
  ///   - runs: The runs of the row, in order.
  ///   - shift: The first column of the row in the sums.
  ///   - light: Four floats for each pixel of the row and for one additional pixel.
  /// - Precondition: No level exceeds the discs' largest level.
  func scatter(
    _ runs: Span<ck_lens_run>, distance: Int, shift: Int, _ light: Span<Float>, _ discs: LensDiscs,
    onto sums: LayerSums
  ) {
    let count = runs.count
    guard count > 0 else { return }
    let (first, end) = (Int(runs[0].first), Int(runs[count - 1].first + runs[count - 1].count))
    precondition(
      first >= 0 && light.count >= 4 * (end + 1) && sums.covers(first + shift..<end + shift, discs),
      "\(light.count) floats for \(end) pixels at \(shift) of \(sums.width)")
    unsafe runs.withPointer { runs in
      unsafe light.withPointer { light in
        unsafe discs.rows.span.extracting(discs.rows(at: distance)).withPointer { rows in
          unsafe table.scatter_runs(
            count, runs, rows + discs.largest, Int32(shift), light, sums.memory)
        }
      }
    }
  }

  /// Adds the light of single pixels of a row at ascending columns.
  ///
  /// - Parameters:
  ///   - points: The pixels' indices in the hidden layer.
  ///   - shift: The first column of the row in the sums.
  /// - Precondition: No level exceeds the discs' largest level.
  func scatter(
    _ points: Range<Int>, of hidden: HiddenLayer, distance: Int, shift: Int, _ discs: LensDiscs,
    onto sums: LayerSums
  ) {
    guard let last = points.last else { return }
    let (first, end) = (Int(hidden.columns[points.lowerBound]), Int(hidden.columns[last]) + 1)
    precondition(
      hidden.light.count > points.upperBound && sums.covers(first + shift..<end + shift, discs),
      "columns \(first) to \(end) at \(shift) of \(sums.width)")
    unsafe hidden.columns.span.extracting(points).withPointer { columns in
      unsafe hidden.levels.span.extracting(points).withPointer { levels in
        unsafe hidden.light.span.extracting(droppingFirst: points.lowerBound).withPointer { light in
          let light = unsafe UnsafeRawPointer(light).assumingMemoryBound(to: Float.self)
          unsafe discs.rows.span.extracting(discs.rows(at: distance)).withPointer { rows in
            unsafe table.scatter_points(
              points.count, columns, levels, rows + discs.largest, Int32(shift), light,
              sums.memory)
          }
        }
      }
    }
  }

  /// Composites the layers, writes the row, and resets all sums.
  ///
  /// - Parameter coded: The byte of each step of light.
  func resolve(_ sums: LayerSums, coded: [UInt8], into out: inout MutableSpan<UInt8>) {
    precondition(
      out.count == 3 * sums.width && coded.count == 1 + Int(SRGB.steps),
      "\(out.count) bytes for \(sums.width) pixels")
    unsafe coded.span.withPointer { coded in
      unsafe out.withPointer {
        unsafe table.resolve_layers(sums.layers, sums.memory, SRGB.steps, coded, sums.light, $0)
      }
    }
  }
}

extension LayerSums {
  /// Returns whether the sums have steps for the discs of pixels in some columns.
  fileprivate func covers(_ columns: Range<Int>, _ discs: LensDiscs) -> Bool {
    discs.extent == extent && discs.layers == layers && columns.lowerBound >= -extent
      && columns.upperBound <= width + extent
  }
}
