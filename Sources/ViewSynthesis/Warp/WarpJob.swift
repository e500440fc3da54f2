import DepthBase
import Synchronization

/// The sizes and settings of one call, and its two passes over the rows.
struct WarpJob: Sendable {
  let height, width, depthHeight, depthWidth: Int
  let plan: WarpPlan
  let isa: InstructionSet
  let threads: Int
  let cancellation: Cancellation?

  /// Rows per chunk, enough to scan few rows twice.
  static let grain = 16

  /// Renders both views. A view without a share of the parallax is the photo itself.
  func run(
    photo: [UInt8], depth: [Float], progress: (@Sendable (Int) -> Void)?
  ) -> (left: WarpedView, right: WarpedView) {
    let left = plan.leftShare == 0 ? nil : WarpedEye(share: plan.leftShare, mirrored: false)
    let right = plan.leftShare == 256 ? nil : WarpedEye(share: 256 - plan.leftShare, mirrored: true)
    var (views, runs) = warped(photo, depth, left: left, right: right, progress: progress)
    guard plan.filling == .blended else { return views }
    if left != nil {
      smoothHolesDown(
        runs.map(\.left), view: &views.left, width: width, isa: isa, threads: threads)
    }
    if right != nil {
      smoothHolesDown(
        runs.map(\.right), view: &views.right, width: width, isa: isa, threads: threads)
    }
    return views
  }

  /// The gaps of a chunk in both views, and the visible parallax.
  typealias ChunkRuns = (left: [HoleRun], right: [HoleRun], shown: (left: [UInt8], right: [UInt8]))

  /// Views with gaps filled row by row.
  private func warped(
    _ photo: [UInt8], _ depth: [Float], left: WarpedEye?, right: WarpedEye?,
    progress: (@Sendable (Int) -> Void)?
  ) -> (views: (left: WarpedView, right: WarpedView), runs: [ChunkRuns]) {
    let sameSize = height == depthHeight && width == depthWidth
    let small = sameSize ? [] : parallaxMap(of: depth)
    let upsampler = ParallaxUpsampler(
      height: depthHeight, width: depthWidth, frameHeight: height,
      frameWidth: sameSize ? 0 : width, isa: isa)
    let done = Atomic(0)
    let (leftWidth, rightWidth) = (left == nil ? 0 : width, right == nil ? 0 : width)
    let (arrays, runs) = filledRows(
      height: height, widths: (leftWidth * 3, leftWidth, rightWidth * 3, rightWidth),
      grain: Self.grain, threads: threads
    ) { rows, leftPixels, leftHoles, rightPixels, rightHoles in
      var runs: ChunkRuns = ([], [], ([], []))
      if let cancellation, cancellation.isCancelled { return runs }
      if plan.parallaxStep > 0 {
        runs.shown.left.reserveCapacity(rows.count * leftWidth)
        runs.shown.right.reserveCapacity(rows.count * rightWidth)
      }
      var scratch = WarpScratch(width: width, depthWidth: depthWidth, plan: plan, isa: isa)
      var scanner = ParallaxScanner(
        depth: depth, height: depthHeight, width: depthWidth, plan: plan, isa: isa)
      for y in rows {
        if sameSize {
          var parallax = scratch.parallax.mutableSpan
          scanner.scan(row: y, into: &parallax)
        } else {
          upsampler.row(y, of: small, blended: &scratch.blended, into: &scratch.parallax)
        }
        scratch.taper()
        scratch.load(photo.span.extracting(y * width * 3..<(y + 1) * width * 3))
        let first = (y - rows.lowerBound) * width
        if let left {
          leftPixels.withPart(first * 3..<(first + width) * 3) { pixels in
            leftHoles.withPart(first..<first + width) { mask in
              scratch.warp(row: y, eye: left, into: &pixels, mask: &mask, runs: &runs.left)
            }
          }
          scratch.showParallax(row: y, runs: runs.left, into: &runs.shown.left)
        }
        if let right {
          rightPixels.withPart(first * 3..<(first + width) * 3) { pixels in
            rightHoles.withPart(first..<first + width) { mask in
              scratch.warp(row: y, eye: right, into: &pixels, mask: &mask, runs: &runs.right)
            }
          }
          scratch.showParallax(row: y, runs: runs.right, into: &runs.shown.right)
        }
      }
      if let progress {
        progress(done.add(rows.count, ordering: .relaxed).newValue)
      }
      return runs
    }
    let unchanged = {
      WarpedView(pixels: photo, holes: [UInt8](repeating: 0, count: height * width))
    }
    return (
      (
        left == nil
          ? unchanged()
          : WarpedView(
            pixels: arrays.0, holes: arrays.1, parallax: joined(runs.lazy.map(\.shown.left))),
        right == nil
          ? unchanged()
          : WarpedView(
            pixels: arrays.2, holes: arrays.3, parallax: joined(runs.lazy.map(\.shown.right)))
      ), runs
    )
  }

  /// `flatMap` would reallocate its result repeatedly.
  private func joined(_ chunks: some Sequence<[UInt8]>) -> [UInt8] {
    var levels: [UInt8] = []
    if plan.parallaxStep > 0 { levels.reserveCapacity(height * width) }
    for chunk in chunks { levels += chunk }
    return levels
  }

  private func parallaxMap(of depth: [Float]) -> [Int32] {
    filledRows(height: depthHeight, width: depthWidth, grain: Self.grain, threads: threads) {
      rows, map in
      var scanner = ParallaxScanner(
        depth: depth, height: depthHeight, width: depthWidth, plan: plan, isa: isa)
      map.forEachRow(rows, width: depthWidth) { y, line in scanner.scan(row: y, into: &line) }
    }
  }
}
