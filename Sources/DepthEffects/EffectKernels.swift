import CDepthSIMD
import DepthBase
import DepthImages

/// The kernels of effects of one instruction set.
///
/// Each function checks once, before the call, that all a kernel reads and writes lies inside the spans.
@safe
struct EffectKernels: Sendable {
  private let table: ck_effects_kernels

  init(_ isa: InstructionSet) { unsafe table = isa.kernels.pointee.effects }

  /// Levels of defocus: `v · slope + intercept`, rounded, v being a value or its reciprocal.
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

  /// Red, green, blue and 1 of a row of RGB, in linear light.
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

  /// Appends the runs of one defocus in a row, none across a multiple of `block`.
  ///
  /// - Precondition: No level is larger than `aperture.largest`.
  func appendRuns(
    of levels: Span<Int16>, block: Int, _ aperture: ApertureRows, to runs: inout [ck_lens_run]
  ) {
    let count = levels.count
    precondition(block > 0 && aperture.reach.count == aperture.largest + 1, "blocks of \(block)")
    runs += unsafe [ck_lens_run](unsafeUninitializedCapacity: count) { runs, found in
      guard let first = runs.baseAddress else { return }
      unsafe levels.withPointer { levels in
        unsafe aperture.reach.span.withPointer { reach in
          found = unsafe table.lens_runs(count, block, reach, levels, first)
        }
      }
    }
  }

  /// Adds the light of a row of pixels to the row `distance` below.
  ///
  /// - Parameters:
  ///   - runs: Those of the row, from ``appendRuns(of:block:_:to:)``.
  ///   - shift: The column of the sums where the row begins.
  ///   - light: Four floats for each pixel of the row.
  func scatter(
    _ runs: Span<ck_lens_run>, distance: Int, shift: Int, _ light: Span<Float>, _ discs: LensDiscs,
    onto sums: LayerSums
  ) {
    let count = runs.count
    guard count > 0 else { return }
    // Runs are in order, so that the last one ends the row.
    let end = Int(runs[count - 1].first + runs[count - 1].count)
    precondition(light.count >= 4 * end, "\(light.count) floats for \(end) pixels")
    unsafe runs.withPointer { runs in
      unsafe light.withPointer { light in
        unsafe withLens(discs, sums) {
          unsafe table.scatter_runs(
            count, runs, $0, Int32(distance), Int32(shift), light, sums.memory)
        }
      }
    }
  }

  /// Adds the light of single pixels of a row at ascending columns.
  ///
  /// - Parameters:
  ///   - points: Their indices in the hidden layer.
  ///   - shift: The column of the sums where the row begins.
  func scatter(
    _ points: Range<Int>, of hidden: HiddenLayer, distance: Int, shift: Int, _ discs: LensDiscs,
    onto sums: LayerSums
  ) {
    let columns = hidden.columns.span.extracting(points)
    let levels = hidden.levels.span.extracting(points)
    let light = hidden.light.span.extracting(points)
    unsafe columns.withPointer { columns in
      unsafe levels.withPointer { levels in
        unsafe light.withPointer { light in
          let light = unsafe UnsafeRawPointer(light).assumingMemoryBound(to: Float.self)
          unsafe withLens(discs, sums) {
            unsafe table.scatter_points(
              points.count, columns, levels, $0, Int32(distance), Int32(shift), light, sums.memory)
          }
        }
      }
    }
  }

  /// Lays the layers over each other, writes the row, and empties all sums.
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

  /// Lends the tables of a lens, whose layers the sums have, to a call of C.
  @unsafe @inline(__always)
  private func withLens(
    _ discs: LensDiscs, _ sums: LayerSums, _ body: (ck_lens) -> Void
  ) {
    let (aperture, layers) = (discs.aperture, discs.layers)
    // Tables have an element for each level, and layers have sums.
    precondition(
      aperture.middle.count == 2 * aperture.largest + 1
        && layers.layer.count == aperture.middle.count && layers.count == sums.layers,
      "\(layers.count) layers of \(layers.layer.count) levels, expected \(aperture.middle.count)")
    unsafe aperture.reach.span.withPointer { reach in
      unsafe aperture.middle.span.withPointer { middle in
        unsafe aperture.rows.span.withPointer { rows in
          unsafe layers.layer.span.withPointer { layer in
            unsafe body(
              ck_lens(
                largest: Int32(aperture.largest), reach: reach, middle: middle, rows: rows,
                layer: layer))
          }
        }
      }
    }
  }
}

/// What a lens makes of points: discs, and the order in which they hide each other.
struct LensDiscs: Sendable {
  let aperture: ApertureRows
  let layers: DefocusLayers
}
