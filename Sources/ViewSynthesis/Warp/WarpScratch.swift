import DepthBase

/// The lines that a thread needs to warp a row.
struct WarpScratch {
  private let kernels: ViewKernels
  private let plan: WarpPlan
  private let width: Int
  /// Parallax of the row in 1/64 pixel, and a buffer for stretching a smaller map's row.
  var parallax: [Int32]
  var blended: [Float]
  /// One eye's shifts, the visible source of each target with margins, and the mirror image of the sources.
  private var shift: [Int32]
  private var seen, mirrored: SeenLine
  /// Whether the last eye's view was mirrored.
  private var isMirrored = false
  /// The levels of the last row's visible parallax.
  private var level: [UInt8]
  /// The photo's row with its end pixels repeated beyond the ends.
  private var row: [UInt8]

  init(width: Int, depthWidth: Int, plan: WarpPlan, isa: InstructionSet) {
    (self.width, self.plan) = (width, plan)
    kernels = ViewKernels(isa)
    parallax = [Int32](repeating: 0, count: width)
    blended = [Float](repeating: 0, count: depthWidth)
    shift = parallax
    seen = SeenLine(width: width, margin: plan.margin)
    mirrored = SeenLine(width: width, margin: 0)
    level = [UInt8](repeating: 0, count: plan.parallaxStep > 0 ? width : 0)
    row = [UInt8](repeating: 0, count: (width + 3) * 3 + 16)
  }

  /// Scales the parallax to zero towards both ends of the row.
  mutating func taper() {
    let columns = min(plan.taper, width / 2)
    for x in 0..<columns {
      for at in [x, width - 1 - x] {
        parallax[at] = Int32(Int(parallax[at]) * x / columns)
      }
    }
  }

  /// Loads the pixels of a row, `width · 3` bytes.
  mutating func load(_ pixels: Span<UInt8>) {
    let width = width
    var row = row.mutableSpan
    row.update(from: pixels, at: 3)
    for channel in 0..<3 {
      row[channel] = pixels[channel]
      let last = pixels[(width - 1) * 3 + channel]
      row[(width + 1) * 3 + channel] = last
      row[(width + 2) * 3 + channel] = last
    }
  }

  /// Warps the loaded row for `eye`, fills the view's holes and appends the holes to `runs`.
  ///
  /// - Parameters:
  ///   - pixels: The row of the view, `width · 3` bytes.
  ///   - mask: The row of the view's mask, `width` bytes.
  mutating func warp(
    row y: Int, eye: WarpedEye, into pixels: inout MutableSpan<UInt8>,
    mask: inout MutableSpan<UInt8>, runs: inout [HoleRun]
  ) {
    kernels.eyeLine(share: eye.share, mirrored: eye.mirrored, parallax, into: &shift)
    kernels.warpLine(stretch: plan.stretch, shift, into: &seen)
    isMirrored = eye.mirrored
    if eye.mirrored { kernels.mirror(seen, into: &mirrored) }
    let targets = eye.mirrored ? mirrored : seen
    let holes = kernels.holeLine(targets, into: &mask)
    kernels.sampleLine(row, weights: CatmullRom.weights, targets, into: &pixels)
    guard holes > 0 else { return }
    let background = HoleBackground(seen: seen, shift: shift, mirrored: eye.mirrored)
    let first = runs.count
    var x = 0
    var left = holes
    while left > 0 {
      while mask[x] == 0 { x += 1 }
      var end = x
      while end < width, mask[end] != 0 { end += 1 }
      runs.append(background.run(row: y, start: x, end: end))
      left -= end - x
      x = end
    }
    for run in runs[first...] {
      run.fill(&pixels, stretched: plan.filling == .stretched)
    }
  }

  /// Appends the last row's visible parallax if the plan requires it; see ``WarpedView/parallax``.
  ///
  /// - Parameter runs: Gaps, including the gaps of the row.
  mutating func showParallax(row y: Int, runs: [HoleRun], into levels: inout [UInt8]) {
    guard plan.parallaxStep > 0 else { return }
    let first = levels.count
    kernels.levelLine(
      step: plan.parallaxStep, parallax, isMirrored ? mirrored : seen, into: &level)
    levels += level
    var index = runs.count - 1
    while index >= 0, runs[index].row == y {
      let run = runs[index]
      var level: UInt8 = 128
      if run.takesLeft { level = levels[first + run.start - 1] }
      if run.takesRight {
        let right = levels[first + run.end]
        level = run.takesLeft ? min(level, right) : right
      }
      for x in run.start..<run.end { levels[first + x] = level }
      index -= 1
    }
  }
}
