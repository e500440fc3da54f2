import CDepthSIMD
import DepthBase

/// The view synthesis kernels of one instruction set. Positions along a row are in 1/64 pixel.
///
/// Each function first checks that all memory a kernel accesses is inside the spans.
@safe
struct ViewKernels: Sendable {
  private let table: ck_views_kernels

  init(_ isa: InstructionSet) { unsafe table = isa.kernels.pointee.views }

  /// Computes the parallax of a row of depths, clamped to ± the plan's limit.
  func parallaxLine(_ plan: WarpPlan, _ depth: Span<Float>, into line: inout MutableSpan<Int32>) {
    let count = line.count
    precondition(depth.count == count, "\(depth.count) depths, expected \(count)")
    unsafe depth.withPointer { depth in
      unsafe line.withPointer {
        unsafe table.parallax_line(
          count, plan.reciprocal, plan.scale, plan.offset, plan.limit, depth, $0)
      }
    }
  }

  /// Interpolates a row of the frame between two weighted rows of a map of parallax.
  ///
  /// - Parameter blended: Scratch for a row of the map.
  func stretchLine(
    _ upper: (row: Span<Int32>, weight: Float), _ lower: (row: Span<Int32>, weight: Float),
    _ columns: ParallaxColumns, blended: inout [Float], into out: inout [Int32]
  ) {
    let (count, length) = (out.count, columns.length)
    precondition(
      columns.first.count == count && upper.row.count == length && lower.row.count == length
        && blended.count == length,
      "rows of \(upper.row.count) and \(lower.row.count) to \(count), expected \(length)")
    var blended = blended.mutableSpan
    var out = out.mutableSpan
    unsafe upper.row.withPointer { above in
      unsafe lower.row.withPointer { below in
        unsafe columns.first.span.withPointer { first in
          unsafe columns.second.span.withPointer { second in
            unsafe columns.firstWeights.span.withPointer { firstWeights in
              unsafe columns.secondWeights.span.withPointer { secondWeights in
                unsafe blended.withPointer { blended in
                  unsafe out.withPointer {
                    unsafe table.stretch_line(
                      length, above, upper.weight, below, lower.weight, blended, count, first,
                      second, firstWeights, secondWeights, $0)
                  }
                }
              }
            }
          }
        }
      }
    }
  }

  /// Smooths a gap down the columns; see ``smoothHolesDown(_:view:width:isa:threads:)``.
  ///
  /// - Parameters:
  ///   - pixels: All rows of the view, `width · 3` bytes each.
  ///   - holes: The view's mask, nonzero in the gap.
  ///   - out: Three bytes per pixel of the gap.
  func smoothHole(
    _ run: HoleRun, width: Int, pixels: Span<UInt8>, holes: Span<UInt8>,
    into out: inout MutableSpan<UInt8>
  ) {
    let height = holes.count / width
    precondition(
      holes.count == height * width && pixels.count == holes.count * 3 && run.start >= 0
        && run.start <= run.end && run.end <= width && run.row >= 0 && run.row < height
        && out.count == (run.end - run.start) * 3,
      "a gap from \(run.start) to \(run.end) of row \(run.row) in \(width)×\(height)")
    unsafe pixels.withPointer { pixels in
      unsafe holes.withPointer { holes in
        unsafe out.withPointer {
          unsafe table.smooth_hole(
            height, width, run.row, run.start, run.end, run.takesLeft, run.takesRight, pixels,
            holes, $0)
        }
      }
    }
  }

  /// `y[i] = max(x[i], y[i])`.
  func lineMaximum(_ x: Span<Int32>, into y: inout MutableSpan<Int32>) {
    let count = y.count
    precondition(x.count == count, "\(x.count) numbers, expected \(count)")
    unsafe x.withPointer { x in unsafe y.withPointer { unsafe table.line_maximum(count, x, $0) } }
  }

  /// Computes the maximum of `highest` within `radius` where it exceeds the line by more than `step`, and
  /// copies the line elsewhere.
  ///
  /// - Parameter highest: `radius` elements longer than the line at both ends.
  func widenLine(
    radius: Int, step: Int, highest: Span<Int32>, line: Span<Int32>,
    into widened: inout MutableSpan<Int32>
  ) {
    let count = widened.count
    precondition(
      radius >= 0 && line.count == count && highest.count == count + 2 * radius,
      "\(line.count) and \(highest.count) numbers, expected \(count) and \(radius) more at both ends"
    )
    unsafe highest.withPointer { highest in
      unsafe line.withPointer { line in
        unsafe widened.withPointer {
          unsafe table.widen_line(count, radius, Int32(step), highest + radius, line, $0)
        }
      }
    }
  }

  /// `shift[i] = line[i]·share/256`, rounded; `mirrored` reads the line backwards.
  func eyeLine(
    share: Int, mirrored: Bool, _ line: [Int32], into shift: inout [Int32]
  ) {
    let count = shift.count
    precondition(line.count == count, "\(line.count) numbers, expected \(count)")
    var shift = shift.mutableSpan
    unsafe line.span.withPointer { line in
      unsafe shift.withPointer {
        unsafe table.eye_line(count, Int32(share), mirrored, line, $0)
      }
    }
  }

  /// Writes the visible source position of every target.
  ///
  /// - Parameter stretch: The distance of neighbors' targets above which the neighbors are separated.
  /// - Precondition: No shift exceeds the line's margin.
  func warpLine(stretch: Int, _ shift: [Int32], into seen: inout SeenLine) {
    let (width, margin) = (seen.width, seen.margin)
    var largest: UInt32 = 0
    for value in shift { largest = max(largest, value.magnitude) }
    precondition(
      width > 0 && width < 1 << 24 && shift.count == width && Int(largest) / 64 + 2 <= margin,
      "\(shift.count) shifts up to \(largest), expected \(width) within \(margin) pixels")
    var source = seen.source.mutableSpan
    // The kernel reads the previous content.
    source.update(repeating: -1)
    unsafe shift.span.withPointer { shift in
      unsafe source.withPointer {
        unsafe table.warp_line(width, Int32(stretch), shift, $0 + margin)
      }
    }
  }

  /// The mirror image of a line: positions and targets count from the other end.
  func mirror(_ seen: SeenLine, into mirrored: inout SeenLine) {
    let (width, margin, other) = (seen.width, seen.margin, mirrored.margin)
    precondition(
      width > 0 && mirrored.width == width, "\(mirrored.width) targets, expected \(width)")
    var out = mirrored.source.mutableSpan
    unsafe seen.source.span.withPointer { source in
      unsafe out.withPointer { unsafe table.mirror_source(width, source + margin, $0 + other) }
    }
  }

  /// `mask[i] = 255` for holes, else 0; returns the number of holes.
  func holeLine(_ seen: SeenLine, into mask: inout MutableSpan<UInt8>) -> Int {
    precondition(mask.count == seen.width, "room for \(mask.count), expected \(seen.width)")
    return unsafe seen.source.span.withPointer { source in
      unsafe mask.withPointer { unsafe table.hole_line(seen.width, source + seen.margin, $0) }
    }
  }

  /// `level[i] = 128 + p/step`, rounded toward zero and clamped to a byte, where p is half a step plus the
  /// visible parallax.
  func levelLine(step: Int, _ parallax: [Int32], _ seen: SeenLine, into level: inout [UInt8]) {
    let width = seen.width
    precondition(
      step > 0 && step < 1 << 20 && parallax.count == width && level.count == width,
      "\(parallax.count) numbers and \(level.count) levels, expected \(width)")
    var level = level.mutableSpan
    unsafe parallax.span.withPointer { parallax in
      unsafe seen.source.span.withPointer { source in
        unsafe level.withPointer {
          unsafe table.level_line(width, Int32(step), parallax, source + seen.margin, $0)
        }
      }
    }
  }

  /// The maximum byte within `radius` on both sides, in rows of `width` bytes.
  func widened(_ bytes: [UInt8], width: Int, radius: Int) -> [UInt8] {
    precondition(
      radius >= 0 && width > 0 && bytes.count % width == 0,
      "\(bytes.count) bytes in rows of \(width)")
    var scratch = [UInt8](repeating: 0, count: 2 * (width + 2 * radius))
    var memory = scratch.mutableSpan
    return filledArray(count: bytes.count) { (out: inout MutableSpan<UInt8>) in
      out.forEachRow(0..<bytes.count / width, width: width) { y, row in
        unsafe bytes.span.extracting(y * width..<(y + 1) * width).withPointer { x in
          unsafe row.withPointer { y in
            unsafe memory.withPointer { unsafe table.widen_bytes(width, radius, x, y, $0) }
          }
        }
      }
    }
  }

  /// Fills the holes of a view from earlier frames, and stores what this frame shows.
  ///
  /// - Parameters:
  ///   - sameSurface: Levels of parallax within which colors belong to one surface.
  ///   - holes: 255 for a hole, else 0, for each pixel.
  ///   - nearest: The largest level around each pixel.
  ///   - pixels: The view's colors.
  /// - colors, distances, known: The history of each pixel; see ``HoleHistory/Memory``.
  func fillHoles(
    _ holes: [UInt8], levels: [UInt8], nearest: [UInt8], sameSurface: UInt8,
    of pixels: inout [UInt8], colors: inout [UInt8], distances: inout [UInt8],
    known: inout [UInt8]
  ) {
    let count = holes.count
    precondition(
      levels.count == count && nearest.count == count && pixels.count == 3 * count
        && colors.count == 3 * count && distances.count == count && known.count == count,
      "\(levels.count) levels and \(pixels.count) bytes for \(count) pixels")
    var result = pixels.mutableSpan
    var colors = colors.mutableSpan
    var distances = distances.mutableSpan
    var known = known.mutableSpan
    unsafe holes.span.withPointer { holes in
      unsafe levels.span.withPointer { levels in
        unsafe nearest.span.withPointer { nearest in
          unsafe colors.withPointer { colors in
            unsafe distances.withPointer { distances in
              unsafe known.withPointer { known in
                unsafe result.withPointer {
                  unsafe table.hole_history(
                    count, sameSurface, holes, levels, nearest, colors, distances, known, $0)
                }
              }
            }
          }
        }
      }
    }
  }

  /// Interpolates colors at the source positions with four taps. Colors in holes are arbitrary.
  ///
  /// - Parameters:
  ///   - row: The photo's row, extended by one pixel on the left, and by two pixels and four bytes on the
  ///     right.
  ///   - weights: For each of 64 phases, 16 weights in 1/64, four per tap.
  ///   - out: Three bytes per target.
  func sampleLine(
    _ row: [UInt8], weights: [Int16], _ seen: SeenLine, into out: inout MutableSpan<UInt8>
  ) {
    let width = seen.width
    precondition(
      row.count >= (width + 3) * 3 + 4 && weights.count == 64 * 16 && out.count == width * 3,
      "\(row.count) bytes and \(weights.count) weights to \(out.count) bytes, expected \(width * 3)"
    )
    unsafe row.span.withPointer { row in
      unsafe weights.span.withPointer { weights in
        unsafe seen.source.span.withPointer { source in
          unsafe out.withPointer {
            unsafe table.sample_line(width, row, weights, source + seen.margin, $0)
          }
        }
      }
    }
  }
}

/// The visible source position of every target of a row, in 1/64 pixel, or a negative number.
///
/// Only kernels write positions, so each position is between the first and the last pixel of the row.
struct SeenLine: Sendable {
  let width: Int
  /// Targets beyond both ends that a kernel may write.
  let margin: Int
  fileprivate var source: [Int32]

  init(width: Int, margin: Int) {
    (self.width, self.margin) = (width, margin)
    source = [Int32](repeating: -1, count: width + 2 * margin)
  }

  /// The source of target `x`.
  subscript(x: Int) -> Int32 { source[x + margin] }
}
