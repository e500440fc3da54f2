import DepthBase

/// Converts depths to parallax, row by row, and moves depth edges outwards.
///
/// Refined depth rarely matches an object's outline exactly, and the photo's edge pixels mix both sides.
/// Widening the nearer side moves an unnoticeable rim of background with the object, instead of leaving a rim
/// of the object in the background. Only steps above `wideningStep` are widened; the parallax of surfaces
/// does not change.
struct ParallaxScanner {
  private let kernels: ViewKernels
  private let plan: WarpPlan
  private let depth: [Float]
  private let height, width: Int
  /// The parallax of the last `2·wideningDown + 1` rows; row y is in slot y mod that number.
  private var lines: [[Int32]]
  private var rowInSlot: [Int]
  /// The maximum over adjacent rows, with `wideningAcross` additional elements at both ends.
  private var highest: [Int32]

  init(depth: [Float], height: Int, width: Int, plan: WarpPlan, isa: InstructionSet) {
    (self.depth, self.height, self.width, self.plan) = (depth, height, width, plan)
    kernels = ViewKernels(isa)
    let slots = 2 * plan.wideningDown + 1
    lines = [[Int32]](repeating: [], count: slots)
    rowInSlot = [Int](repeating: -1, count: slots)
    highest = [Int32](repeating: 0, count: width + 2 * plan.wideningAcross)
  }

  /// Writes the parallax of depth row `y`, in 1/64 pixel, to `out`.
  mutating func scan(row y: Int, into out: inout MutableSpan<Int32>) {
    guard plan.wideningAcross > 0 || plan.wideningDown > 0 else {
      return convert(row: y, into: &out)
    }
    let near = max(0, y - plan.wideningDown)...min(height - 1, y + plan.wideningDown)
    for row in near { load(row: row) }
    let (kernels, plan, width, lines) = (kernels, plan, width, lines)
    let own = lines[y % lines.count]
    var highest = highest.mutableSpan
    let across = plan.wideningAcross
    highest.withPart(across..<across + width) { middle in
      middle.update(from: own.span)
      for other in near where other != y {
        let line = lines[other % lines.count]
        kernels.lineMaximum(line.span, into: &middle)
      }
    }
    for beyond in 0..<across {
      highest[beyond] = highest[across]
      highest[across + width + beyond] = highest[across + width - 1]
    }
    kernels.widenLine(
      radius: across, step: plan.wideningStep, highest: highest.span, line: own.span, into: &out)
  }

  /// Converts row `y` into its slot unless it is already there.
  private mutating func load(row y: Int) {
    let slot = y % rowInSlot.count
    guard rowInSlot[slot] != y else { return }
    rowInSlot[slot] = y
    var line = lines[slot]
    lines[slot] = []
    if line.isEmpty { line = [Int32](repeating: 0, count: width) }
    var span = line.mutableSpan
    convert(row: y, into: &span)
    lines[slot] = line
  }

  private func convert(row y: Int, into line: inout MutableSpan<Int32>) {
    kernels.parallaxLine(plan, depth.span.extracting(y * width..<(y + 1) * width), into: &line)
  }
}
