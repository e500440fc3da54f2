import DepthBase
public import DepthImages

extension DepthMap {
  /// The surface normal of each pixel with a depth, in the camera's frame.
  ///
  /// A normal is that of the plane through a pixel and its neighbors on the same surface, never across a depth edge. Surfaces
  /// are those of ``mesh(of:camera:options:threads:)`` with default options. A pixel beside an unclean edge that is on no
  /// surface has the normal of an adjacent surface. A pixel without a neighbor has a normal towards the camera.
  ///
  /// - Parameters:
  ///   - camera: The photo's camera, which determines the rays through the pixels; the map covers the photo at any size.
  ///   - threads: Number of threads, 1…256; `nil` for one per processor. The bits do not depend on it.
  /// - Throws: `DepthError` if the map is neither in metres nor in disparity, it has no value, or its proportions do not fit
  ///   the camera.
  public func normals(camera: Camera, threads: Int? = nil) throws -> NormalMap {
    let threads = try ThreadCount.checked(threads)
    try unit.requireMetric(for: "a normal map")
    let surface = try DepthSurface(
      self, camera: camera, options: GeometryOptions(), threads: threads)
    return NormalMap(
      height: height, width: width, values: surface.normals(of: self, threads: threads))
  }
}
