import DepthBase

/// Converts depths to parallax, row by row, and moves depth edges outwards.
///
/// Refined depth rarely matches an object's outline exactly, and the photo's edge pixels mix both
/// sides. Widening the nearer side moves a rim of background with the object, which is
/// unnoticeable, instead of leaving a rim of the object in the background. Only steps above
/// `wideningStep` are widened; surfaces keep their parallax to the bit.
struct ParallaxScanner {
  private let kernels: ViewKernels
  private let plan: WarpPlan
  private let depth: [Float]
  private let height, width: Int
  /// The parallax of the last `2·wideningDown + 1` rows; row y is in slot y mod that number.
  private var lines: [[Int32]]
  private var rowInSlot: [Int]
  /// The maximum of the adjacent rows, `wideningAcross` elements longer at both ends.
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

/// Stretches a map of parallax over a larger frame, row by row: bilinear, with aligned pixel
/// centers.
///
/// The two weights of a column are computed symmetrically, so a mirrored map gives the mirrored row
/// to the bit.
struct ParallaxUpsampler: Sendable {
  private let kernels: ViewKernels
  private let height, width, frameHeight: Int
  private let columns: ParallaxColumns

  fileprivate struct Tap {
    var first, second: Int
    var firstWeight, secondWeight: Float
  }

  init(height: Int, width: Int, frameHeight: Int, frameWidth: Int, isa: InstructionSet) {
    (self.height, self.width, self.frameHeight) = (height, width, frameHeight)
    kernels = ViewKernels(isa)
    columns = ParallaxColumns(
      (0..<frameWidth).map { Self.tap($0, of: frameWidth, over: width) }, length: width)
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

  /// Computes row `y` of the frame.
  func row(_ y: Int, of map: [Int32], blended: inout [Float], into out: inout [Int32]) {
    let rows = Self.tap(y, of: frameHeight, over: height)
    let upper = map.span.extracting(rows.first * width..<(rows.first + 1) * width)
    let lower = map.span.extracting(rows.second * width..<(rows.second + 1) * width)
    kernels.stretchLine(
      (upper, rows.firstWeight), (lower, rows.secondWeight), columns, blended: &blended,
      into: &out)
  }
}

/// The two map pixels around each column of a frame, and their weights.
struct ParallaxColumns: Sendable {
  /// All smaller than ``length``.
  let first, second: [Int32]
  let firstWeights, secondWeights: [Float]
  /// Number of columns of the map.
  let length: Int

  fileprivate init(_ taps: [ParallaxUpsampler.Tap], length: Int) {
    first = taps.map { Int32($0.first) }
    second = taps.map { Int32($0.second) }
    firstWeights = taps.map(\.firstWeight)
    secondWeights = taps.map(\.secondWeight)
    self.length = length
  }
}
