import DepthBase
public import DepthImages

extension DepthMap {
  /// The surface normal of each pixel with a depth, in the camera's frame.
  ///
  /// A normal belongs to the plane through a pixel and the pixel's neighbors on the same surface. No plane crosses a
  /// depth edge. Surfaces are those of ``mesh(of:camera:options:threads:)`` with default options. A pixel beside an
  /// unclean edge may be on no surface. It then has the normal of an adjacent surface. The normal of a pixel without a
  /// neighbor points towards the camera.
  ///
  /// - Parameters:
  ///   - camera: The photo's camera, which determines the rays through the pixels. The map covers the photo at any size.
  ///   - threads: Number of threads, 1…256; `nil` for one per processor. The number does not affect the result.
  /// - Throws: `DepthError` if the map is neither in metres nor in disparity or has no value, or if its proportions do not
  ///   fit the camera.
  public func normals(camera: Camera, threads: Int? = nil) throws -> NormalMap {
    let threads = try ThreadCount.checked(threads)
    try unit.requireMetric(for: "a normal map")
    let surface = try DepthSurface(
      self, camera: camera, options: GeometryOptions(), threads: threads)
    return NormalMap(
      height: height, width: width, values: surface.normals(of: self, threads: threads))
  }
}
