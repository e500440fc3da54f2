import CDepthSIMD
import SIMDKernels
import ThreadTeams

/// The kernels of view synthesis of one instruction set. Positions along a row are in 1/64 pixel.
///
/// Each function checks once, before the call, that all a kernel reads and writes lies inside the spans.
@safe
struct ViewKernels: Sendable {
  private let table: ck_views_kernels

  init(_ isa: InstructionSet) { unsafe table = isa.kernels.pointee.views }

  /// The parallax of a row of depths by a plan, each held within ± its limit.
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

  /// `y[i] = max(x[i], y[i])`.
  func lineMaximum(_ x: Span<Int32>, into y: inout MutableSpan<Int32>) {
    let count = y.count
    precondition(x.count == count, "\(x.count) numbers, expected \(count)")
    unsafe x.withPointer { x in unsafe y.withPointer { unsafe table.line_maximum(count, x, $0) } }
  }

  /// The maximum of `highest` within `radius` where that exceeds the line by more than `step`, else
  /// the line.
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

  /// Paints for every target the source position seen there.
  ///
  /// - Parameter stretch: Neighbors that land farther apart are torn.
  /// - Precondition: No shift leads out of the line's margin.
  func warpLine(stretch: Int, _ shift: [Int32], into seen: inout SeenLine) {
    let (width, margin) = (seen.width, seen.margin)
    var largest: UInt32 = 0
    for value in shift { largest = max(largest, value.magnitude) }
    precondition(
      width > 0 && width < 1 << 24 && shift.count == width && Int(largest) / 64 + 2 <= margin,
      "\(shift.count) shifts up to \(largest), expected \(width) within \(margin) pixels")
    var source = seen.source.mutableSpan
    // The kernel looks up what it finds here.
    source.update(repeating: -1)
    unsafe shift.span.withPointer { shift in
      unsafe source.withPointer {
        unsafe table.warp_line(width, Int32(stretch), shift, $0 + margin)
      }
    }
  }

  /// The same line seen in a mirror: positions and targets count from the other end.
  func mirror(_ seen: SeenLine, into mirrored: inout SeenLine) {
    let (width, margin, other) = (seen.width, seen.margin, mirrored.margin)
    precondition(
      width > 0 && mirrored.width == width, "\(mirrored.width) targets, expected \(width)")
    var out = mirrored.source.mutableSpan
    unsafe seen.source.span.withPointer { source in
      unsafe out.withPointer { unsafe table.mirror_source(width, source + margin, $0 + other) }
    }
  }

  /// `mask[i] = 255` where nothing is seen, else 0; returns how many.
  func holeLine(_ seen: SeenLine, into mask: inout MutableSpan<UInt8>) -> Int {
    precondition(mask.count == seen.width, "room for \(mask.count), expected \(seen.width)")
    return unsafe seen.source.span.withPointer { source in
      unsafe mask.withPointer { unsafe table.hole_line(seen.width, source + seen.margin, $0) }
    }
  }

  /// Colors at the positions seen, by four-tap interpolation; any color where nothing is.
  ///
  /// - Parameters:
  ///   - row: Begins one pixel left of the photo's row and holds three pixels and four bytes more.
  ///   - weights: 16 for each of 64 phases, in 1/64, four for each tap.
  ///   - out: Three bytes for each target.
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

/// For every target of a row the source position seen there, in 1/64 pixel, or a negative number.
///
/// Only kernels write positions, so that each lies between the first and the last pixel of the row.
struct SeenLine: Sendable {
  let width: Int
  /// Targets beyond both ends that a kernel may paint.
  let margin: Int
  fileprivate var source: [Int32]

  init(width: Int, margin: Int) {
    (self.width, self.margin) = (width, margin)
    source = [Int32](repeating: -1, count: width + 2 * margin)
  }

  /// What target `x` sees.
  subscript(x: Int) -> Int32 { source[x + margin] }
}
