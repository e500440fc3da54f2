import DepthErrors
public import DepthImages
import ProcessLimits
package import ThreadTeams

extension Image {
  /// The photo through a lens that is sharp at one depth.
  ///
  /// Light is added up linearly, discs have the size that `Lens` says for their own pixel, a sharp
  /// foreground does not bleed into the blur behind it, and a blurred foreground spreads over what is
  /// behind it. Where the lens sees around an edge, what lies beside the edge is continued behind it.
  ///
  /// - Parameters:
  ///   - depth: Depth of the photo, of any size; smaller maps are joint-upsampled, and gaps filled.
  ///   - focus: The depth that stays sharp; at a distance where nothing is, everything blurs.
  ///   - lens: How much is blurred, and the shape of the opening.
  ///   - threads: Threads to use, 1…256; `nil` for one per processor. The result does not depend on it.
  /// - Throws: `DepthError` for a map of another photo, a share outside 0…1, a real lens or a
  ///   distance where the map has no unit, a point outside the photo or without a value, and a photo that
  ///   does not say its focal length where it is asked to.
  /// - Complexity: Rows of the discs, summed over all pixels.
  public func lensBlur(
    depth: DepthMap, focus: DepthFocus, lens: Lens = Lens(), threads: Int? = nil
  ) throws -> Image {
    try lensBlur(
      depth: depth, focus: focus, lens: lens,
      call: CallContext(threads: ThreadCount.checked(threads)))
  }

  /// - Parameters:
  ///   - held: What a film holds instead of the map's own range and focus.
  ///   - call: Is cancelled between tiles of the picture, and told of each.
  package func lensBlur(
    depth: DepthMap, focus: DepthFocus, lens: Lens, held: DepthSpan? = nil, call: CallContext
  ) throws -> Image {
    let threads = call.threads
    let sized = try depth.sized(for: self, threads: threads)
    let disparity = try Disparity(of: sized, held: held, threads: threads)
    let focused = try focus.disparity(in: sized, disparity, held: held, isLens: true)
    let pixelsPerDisparity = try lens.pixelsPerDisparity(of: self, disparity, focus: focused)
    let map = DefocusMap(
      of: try sized.filled(for: self, threads: threads), disparity, pixels: pixelsPerDisparity,
      focus: focused, threads: threads)
    guard map.largest > 0 else { return self }
    let scatter = LensScatter(
      self, map, lens: lens, threads: threads, cancellation: call.cancellation)
    try call.reach(0)
    let pixels = scatter.pixels(
      threads: threads, cancellation: call.cancellation, report: call.report)
    try call.cancellation?.check()
    return Image(height: height, width: width, pixels: pixels, metadata: metadata)
  }
}
