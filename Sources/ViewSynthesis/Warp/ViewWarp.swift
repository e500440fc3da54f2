package import DepthBase

/// Renders both eyes' views of a photo by an ordered forward warp with sub-pixel positions.
///
/// Each row passes these steps: depth → parallax (edges widened) → visible source position of every target pixel
/// (`warp_line`, templates/views/warp.h) → colors by four-tap interpolation → holes filled from the farther
/// side. The right eye is the left eye of the mirrored photo, mirrored back, and all positions are integers.
/// Mirrored input therefore gives exactly the mirrored, swapped pair.
///
/// - Parameters:
///   - photo: `height · width · 3` bytes.
///   - depth: `depthHeight · depthWidth` valid depths, stretched over the photo if smaller.
///   - cancellation: After a cancellation, the result is undefined.
///   - progress: Called with the number of completed rows, from any thread, in any order.
package func warpedViews(
  of photo: [UInt8], height: Int, width: Int, depth: [Float], depthHeight: Int, depthWidth: Int,
  plan: WarpPlan, isa: InstructionSet = .current, threads: Int, cancellation: Cancellation? = nil,
  progress: (@Sendable (Int) -> Void)? = nil
) -> (left: WarpedView, right: WarpedView) {
  precondition(photo.count == height * width * 3, "\(photo.count) bytes for \(width)×\(height) RGB")
  precondition(
    depth.count == depthHeight * depthWidth,
    "\(depth.count) depths for \(depthWidth)×\(depthHeight)")
  let job = WarpJob(
    height: height, width: width, depthHeight: depthHeight, depthWidth: depthWidth, plan: plan,
    isa: isa, threads: threads, cancellation: cancellation)
  return job.run(photo: photo, depth: depth, progress: progress)
}
