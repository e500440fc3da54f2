import CDepthSIMD
import SIMDKernels

/// Turns depths into parallax, row after row, and moves depth edges outwards.
///
/// Refined depth rarely meets the outline of things to the pixel, and the photo's own edge pixels
/// are mixtures of both sides. Widening the nearer side lets a rim of background travel with the
/// object, which is not noticed, instead of a rim of object staying behind in the background. Only
/// steps above `wideningStep` widen: surfaces keep their parallax to the bit.
final class ParallaxScanner {
  private let kernels: ck_kernels
  private let plan: WarpPlan
  private let depth: UnsafePointer<Float>
  private let height, width: Int
  /// The last `2·wideningDown + 1` rows' parallax; row y is in slot y mod that number.
  private let lines: UnsafeMutablePointer<Int32>
  private var rowInSlot: [Int]
  /// The highest of the rows above and below, `wideningAcross` elements longer at both ends.
  private let highest: UnsafeMutablePointer<Int32>

  init(depth: UnsafePointer<Float>, height: Int, width: Int, plan: WarpPlan, isa: InstructionSet) {
    (self.depth, self.height, self.width, self.plan) = (depth, height, width, plan)
    kernels = isa.kernels.pointee
    let slots = 2 * plan.wideningDown + 1
    lines = .allocate(capacity: slots * width)
    rowInSlot = [Int](repeating: -1, count: slots)
    highest = .allocate(capacity: width + 2 * plan.wideningAcross)
  }

  deinit {
    lines.deallocate()
    highest.deallocate()
  }

  /// Writes the parallax of depth row `y`, in 1/64 pixel, to `out`.
  func scan(row y: Int, into out: UnsafeMutablePointer<Int32>) {
    guard plan.wideningAcross > 0 || plan.wideningDown > 0 else {
      return convert(row: y, into: out)
    }
    let own = line(y)
    let middle = highest + plan.wideningAcross
    middle.update(from: own, count: width)
    for other in max(0, y - plan.wideningDown)...min(height - 1, y + plan.wideningDown)
    where other != y {
      kernels.views.line_maximum(width, line(other), middle)
    }
    for beyond in 0..<plan.wideningAcross {
      highest[beyond] = middle[0]
      middle[width + beyond] = middle[width - 1]
    }
    kernels.views.widen_line(
      width, plan.wideningAcross, Int32(plan.wideningStep), middle, line(y), out)
  }

  private func line(_ y: Int) -> UnsafeMutablePointer<Int32> {
    let slot = y % rowInSlot.count
    let line = lines + slot * width
    if rowInSlot[slot] != y {
      convert(row: y, into: line)
      rowInSlot[slot] = y
    }
    return line
  }

  private func convert(row y: Int, into line: UnsafeMutablePointer<Int32>) {
    kernels.views.parallax_line(
      width, plan.reciprocal, plan.scale, plan.offset, plan.limit, depth + y * width, line)
  }
}

/// Stretches a map of parallax over a larger frame, bilinear, pixel centers aligned, row by row.
///
/// The two weights of a column are computed from both sides, so that a mirrored map gives the
/// mirrored row to the bit.
struct ParallaxUpsampler: Sendable {
  private let height, width, frameHeight: Int
  private let columns: [Tap]

  private struct Tap {
    var first, second: Int
    var firstWeight, secondWeight: Float
  }

  init(height: Int, width: Int, frameHeight: Int, frameWidth: Int) {
    (self.height, self.width, self.frameHeight) = (height, width, frameHeight)
    columns = (0..<frameWidth).map { Self.tap($0, of: frameWidth, over: width) }
  }

  private static func tap(_ index: Int, of frame: Int, over count: Int) -> Tap {
    // Center of `index` in units of 1 / (2 · frame) source pixels, from the first source center.
    let position = (2 * index + 1) * count - frame
    let unit = 2 * frame
    let first = Int((Double(position) / Double(unit)).rounded(.down))
    let along = position - first * unit
    return Tap(
      first: max(0, first), second: min(count - 1, first + 1),
      firstWeight: Float(unit - along) / Float(unit), secondWeight: Float(along) / Float(unit))
  }

  /// Writes row `y` of the frame.
  func row(
    _ y: Int, of map: UnsafePointer<Int32>, blended: UnsafeMutablePointer<Float>,
    into out: UnsafeMutablePointer<Int32>
  ) {
    let rows = Self.tap(y, of: frameHeight, over: height)
    let upper = map + rows.first * width
    let lower = map + rows.second * width
    for x in 0..<width {
      blended[x] = Float(upper[x]) * rows.firstWeight + Float(lower[x]) * rows.secondWeight
    }
    columns.withUnsafeBufferPointer { columns in
      for x in 0..<columns.count {
        let tap = columns[x]
        let value = blended[tap.first] * tap.firstWeight + blended[tap.second] * tap.secondWeight
        out[x] = Int32(value.rounded(.toNearestOrEven))
      }
    }
  }
}
