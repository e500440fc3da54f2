package import DepthBase
import DepthErrors
public import DepthImages

extension Image {
  /// The photo as seen through a lens focused at one depth.
  ///
  /// Each pixel spreads its linear light over a disc, whose size `Lens` computes from the pixel's depth. A sharp foreground
  /// does not bleed into the blur behind it, and a blurred foreground spreads over the background. Background that a lens would
  /// image around an edge is filled from pixels beside the edge.
  ///
  /// - Parameters:
  ///   - depth: Depth of the photo, of any size. A smaller map is joint-upsampled, and gaps are filled.
  ///   - focus: The depth that stays sharp. If no point is at this depth, the whole photo is blurred.
  ///   - lens: The amount of blur, and the shape of the aperture.
  ///   - threads: Number of threads, 1…256; `nil` for one per processor. The number does not change the result.
  /// - Throws: `DepthError` if the proportions of the map do not fit the photo; if a normalized focus is outside 0…1; if a real
  ///   lens or a focus in metres is used with a map in neither metres nor disparity; if the focus is a point outside the photo
  ///   or without a value; if the lens needs a focal length that Exif does not contain.
  /// - Complexity: Proportional to the number of rows of a disc, summed over all pixels.
  public func lensBlur(
    depth: DepthMap, focus: DepthFocus, lens: Lens = Lens(), threads: Int? = nil
  ) throws -> Image {
    try lensBlur(
      depth: depth, focus: focus, lens: lens,
      call: CallContext(threads: ThreadCount.checked(threads)))
  }

  /// - Parameters:
  ///   - held: The film's smoothed span, instead of the map's own range and focus.
  ///   - limit: The disc limit of a film; `nil` for a photo, where larger discs are an error.
  ///   - call: Can be cancelled between tiles of the picture, and receives the progress after each tile.
  package func lensBlur(
    depth: DepthMap, focus: DepthFocus, lens: Lens, held: DepthSpan? = nil, limit: LensLimit? = nil,
    call: CallContext
  ) throws -> Image {
    let threads = call.threads
    let sized = try depth.sized(for: self, threads: threads)
    let disparity = try Disparity(of: sized, held: held, threads: threads)
    let focused = try focus.disparity(in: sized, disparity, held: held, isLens: true)
    let pixelsPerDisparity = try lens.pixelsPerDisparity(
      of: self, disparity, focus: focused, limit: limit)
    let map = DefocusMap(
      of: try sized.filled(for: self, threads: threads), disparity, pixels: pixelsPerDisparity,
      focus: focused, largest: Lens.radii.upperBound * Double(width), threads: threads)
    guard map.largest > 0 else { return self }
    let scatter = LensScatter(
      self, map, lens: lens, threads: threads, cancellation: call.cancellation)
    try call.checkpoint(0)
    let pixels = scatter.pixels(
      threads: threads, cancellation: call.cancellation, report: call.report)
    try call.cancellation?.check()
    return Image(height: height, width: width, pixels: pixels, metadata: metadata)
  }
}
