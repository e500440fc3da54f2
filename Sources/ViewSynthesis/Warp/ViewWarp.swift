import CDepthSIMD
package import SIMDKernels
import Synchronization
package import ThreadTeams

/// One synthesized view.
package struct WarpedView: Sendable, Equatable {
  /// `height · width · 3` bytes.
  package var pixels: [UInt8]
  /// `height · width` bytes: 255 where the photo shows nothing and the color is invented, else 0.
  package var holes: [UInt8]
}

/// Both eyes' views of a photo, by an ordered forward warp with sub-pixel positions.
///
/// Row by row: depth → parallax (edges widened) → for every target pixel the source position seen
/// there (`warp_line`, templates/warp.h) → colors by four-tap interpolation → holes filled from
/// their farther side. The right eye is the left eye of the mirrored photo, mirrored back; all
/// positions are whole numbers; so mirrored input gives the mirrored, swapped pair to the bit.
///
/// - Parameters:
///   - photo: `height · width · 3` bytes.
///   - depth: `depthHeight · depthWidth` values, every one of which says something; stretched over
///     the photo when smaller.
///   - cancellation: Once it is cancelled, the result is undefined.
///   - progress: Called with the number of rows done, from any thread, in no order.
package func warpedViews(
  of photo: [UInt8], height: Int, width: Int, depth: [Float], depthHeight: Int, depthWidth: Int,
  plan: WarpPlan, isa: InstructionSet = .current, threads: Int, cancellation: Cancellation? = nil,
  progress: (@Sendable (Int) -> Void)? = nil
) -> (left: WarpedView, right: WarpedView) {
  precondition(photo.count == height * width * 3, "\(photo.count) bytes for \(width)×\(height) RGB")
  precondition(
    depth.count == depthHeight * depthWidth,
    "\(depth.count) depths for \(depthWidth)×\(depthHeight)")
  let area = height * width
  var views = (
    left: WarpedView(pixels: photo, holes: []), right: WarpedView(pixels: photo, holes: [])
  )
  let flat = [UInt8](unsafeUninitializedCapacity: area) { holes, count in
    // Unchanged views share this mask; the warped ones replace it.
    if plan.leftShare == 0 || plan.leftShare == 256 { holes.initialize(repeating: 0) }
    count = plan.leftShare == 0 || plan.leftShare == 256 ? area : 0
  }
  func uninitialized(_ size: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      body(buffer.baseAddress!)
      count = size
    }
  }
  let job = WarpJob(
    height: height, width: width, depthHeight: depthHeight, depthWidth: depthWidth, plan: plan,
    isa: isa, threads: threads, cancellation: cancellation)
  func run(
    _ left: (pixels: UnsafeMutablePointer<UInt8>, holes: UnsafeMutablePointer<UInt8>)?,
    _ right: (pixels: UnsafeMutablePointer<UInt8>, holes: UnsafeMutablePointer<UInt8>)?
  ) {
    photo.withUnsafeBufferPointer { photo in
      depth.withUnsafeBufferPointer { depth in
        job.run(
          photo: photo.baseAddress!, depth: depth.baseAddress!,
          eyes: [
            left.map { .init(share: plan.leftShare, mirrored: false, pixels: $0.0, holes: $0.1) },
            right.map {
              .init(share: 256 - plan.leftShare, mirrored: true, pixels: $0.0, holes: $0.1)
            },
          ].compactMap(\.self), progress: progress)
      }
    }
  }
  switch plan.leftShare {
  case 0:
    views.left.holes = flat
    views.right.pixels = uninitialized(area * 3) { pixels in
      views.right.holes = uninitialized(area) { run(nil, (pixels, $0)) }
    }
  case 256:
    views.right.holes = flat
    views.left.pixels = uninitialized(area * 3) { pixels in
      views.left.holes = uninitialized(area) { run((pixels, $0), nil) }
    }
  default:
    views.left.pixels = uninitialized(area * 3) { left in
      views.left.holes = uninitialized(area) { leftHoles in
        views.right.pixels = uninitialized(area * 3) { right in
          views.right.holes = uninitialized(area) { run((left, leftHoles), (right, $0)) }
        }
      }
    }
  }
  return views
}

/// Where one eye's view goes and what part of the parallax it takes.
struct WarpedEye {
  var share: Int
  var mirrored: Bool
  var pixels: UnsafeMutablePointer<UInt8>
  var holes: UnsafeMutablePointer<UInt8>
}

/// The sizes and settings of one call, and its two passes over the rows.
struct WarpJob: Sendable {
  let height, width, depthHeight, depthWidth: Int
  let plan: WarpPlan
  let isa: InstructionSet
  let threads: Int
  let cancellation: Cancellation?

  /// Rows of one chunk: enough that the rows a scanner reads twice are few.
  static let grain = 16

  func run(
    photo: UnsafePointer<UInt8>, depth: UnsafePointer<Float>, eyes: [WarpedEye],
    progress: (@Sendable (Int) -> Void)?
  ) {
    let chunks = (height + Self.grain - 1) / Self.grain
    // Chunks write their own rows of the views and their own element of `runs`.
    nonisolated(unsafe) let (photo, depth, eyes) = (photo, depth, eyes)
    let runs = UnsafeMutablePointer<[HoleRun]>.allocate(capacity: chunks * eyes.count)
    runs.initialize(repeating: [], count: chunks * eyes.count)
    defer {
      runs.deinitialize(count: chunks * eyes.count)
      runs.deallocate()
    }
    nonisolated(unsafe) let holeRuns = runs
    let sameSize = height == depthHeight && width == depthWidth
    let small = sameSize ? [] : parallaxMap(of: depth)
    let upsampler = ParallaxUpsampler(
      height: depthHeight, width: depthWidth, frameHeight: height,
      frameWidth: sameSize ? 0 : width)
    let done = Atomic(0)
    parallelFor(height, grain: Self.grain, threads: threads, cancellation: cancellation) { rows in
      let scratch = WarpScratch(width: width, depthWidth: depthWidth, plan: plan, isa: isa)
      let scanner = ParallaxScanner(
        depth: depth, height: depthHeight, width: depthWidth, plan: plan, isa: isa)
      for y in rows {
        if sameSize {
          scanner.scan(row: y, into: scratch.parallax)
        } else {
          small.withUnsafeBufferPointer {
            upsampler.row(
              y, of: $0.baseAddress!, blended: scratch.blended, into: scratch.parallax)
          }
        }
        scratch.taper()
        scratch.load(photo + y * width * 3)
        for (index, eye) in eyes.enumerated() {
          let slot = rows.lowerBound / Self.grain * eyes.count + index
          scratch.warp(row: y, eye: eye, runs: &holeRuns[slot])
        }
      }
      if let progress {
        progress(done.add(rows.count, ordering: .relaxed).newValue)
      }
    }
    guard plan.filling == .blended else { return }
    for (index, eye) in eyes.enumerated() {
      let eyeRuns = (0..<chunks).map { runs[$0 * eyes.count + index] }
      smoothHolesDown(eyeRuns, eye: eye, height: height, width: width, threads: threads)
    }
  }

  private func parallaxMap(of depth: UnsafePointer<Float>) -> [Int32] {
    nonisolated(unsafe) let depth = depth
    return [Int32](unsafeUninitializedCapacity: depthHeight * depthWidth) { map, count in
      nonisolated(unsafe) let map = map.baseAddress!
      parallelFor(depthHeight, grain: Self.grain, threads: threads) { rows in
        let scanner = ParallaxScanner(
          depth: depth, height: depthHeight, width: depthWidth, plan: plan, isa: isa)
        for y in rows { scanner.scan(row: y, into: map + y * depthWidth) }
      }
      count = depthHeight * depthWidth
    }
  }
}
