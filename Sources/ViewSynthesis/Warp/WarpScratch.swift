import CDepthSIMD
import SIMDKernels

/// The lines that one thread needs to warp a row.
final class WarpScratch {
  private let kernels: ck_kernels
  private let plan: WarpPlan
  private let width: Int
  /// Parallax of the row in 1/64 pixel, and room to stretch a smaller map's row.
  let parallax: UnsafeMutablePointer<Int32>
  let blended: UnsafeMutablePointer<Float>
  /// One eye's shifts; what every target sees, with margins; the same, mirrored.
  private let shift, source, mirrored: UnsafeMutablePointer<Int32>
  /// The photo's row with its first and last pixels repeated beyond the ends.
  private let row: UnsafeMutablePointer<UInt8>

  init(width: Int, depthWidth: Int, plan: WarpPlan, isa: InstructionSet) {
    (self.width, self.plan) = (width, plan)
    kernels = isa.kernels.pointee
    parallax = .allocate(capacity: width)
    blended = .allocate(capacity: depthWidth)
    shift = .allocate(capacity: width)
    source = .allocate(capacity: width + 2 * plan.margin)
    mirrored = .allocate(capacity: width)
    row = .allocate(capacity: (width + 3) * 3 + 16)
    row.initialize(repeating: 0, count: (width + 3) * 3 + 16)
  }

  deinit {
    parallax.deallocate()
    blended.deallocate()
    shift.deallocate()
    source.deallocate()
    mirrored.deallocate()
    row.deallocate()
  }

  /// Lets the parallax fall to zero towards both ends of the row.
  func taper() {
    let columns = min(plan.taper, width / 2)
    for x in 0..<columns {
      for at in [x, width - 1 - x] {
        parallax[at] = Int32(Int(parallax[at]) * x / columns)
      }
    }
  }

  /// Takes the pixels of a row, `width · 3` bytes.
  func load(_ pixels: UnsafePointer<UInt8>) {
    (row + 3).update(from: pixels, count: width * 3)
    for channel in 0..<3 {
      row[channel] = pixels[channel]
      let last = pixels[(width - 1) * 3 + channel]
      row[(width + 1) * 3 + channel] = last
      row[(width + 2) * 3 + channel] = last
    }
  }

  /// Warps the loaded row to `eye`, fills its holes and adds them to `runs`.
  func warp(row y: Int, eye: WarpedEye, runs: inout [HoleRun]) {
    kernels.views.eye_line(width, Int32(eye.share), eye.mirrored, parallax, shift)
    source.update(repeating: -1, count: width + 2 * plan.margin)
    let targets = source + plan.margin
    kernels.views.warp_line(width, Int32(plan.stretch), shift, targets)
    var seen = targets
    if eye.mirrored {
      kernels.views.mirror_source(width, targets, mirrored)
      seen = mirrored
    }
    let mask = eye.holes + y * width
    let pixels = eye.pixels + y * width * 3
    let holes = kernels.views.hole_line(width, seen, mask)
    CatmullRom.weights.withUnsafeBufferPointer {
      kernels.views.sample_line(width, row, $0.baseAddress!, seen, pixels)
    }
    guard holes > 0 else { return }
    let background = HoleBackground(
      width: width, source: UnsafePointer(targets), shift: UnsafePointer(shift),
      mirrored: eye.mirrored)
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
      run.fill(pixels, stretched: plan.filling == .stretched)
    }
  }
}
