import DepthBase
public import DepthImages
import PictureFiles

extension DepthMap {
  /// The map as points, one for each pixel with a value.
  ///
  /// - Parameters:
  ///   - photo: The photo for the colors, which are converted to sRGB if its profile has a matrix and curves. The photo may
  ///     have any size, and the map must cover all of it.
  ///   - camera: The photo's camera, which determines the rays through the pixels.
  ///   - options: The treatment of edges.
  ///   - threads: Number of threads, 1…256; `nil` for one per processor. The number does not affect the result.
  /// - Throws: `DepthError` if the map is neither in metres nor in disparity or has no value, if its proportions do not fit
  ///   the photo, or if an option is out of range.
  public func pointCloud(
    of photo: Image, camera: Camera, options: GeometryOptions = GeometryOptions(),
    threads: Int? = nil
  ) throws -> PointCloud {
    let threads = try ThreadCount.checked(threads)
    let surface = try surface(of: photo, camera, options, threads: threads)
    let vertices = surface.vertices(
      at: surface.pixels(), colors: photo.inSRGB, threads: threads)
    return PointCloud(
      positions: vertices.positions, normals: vertices.normals, colors: vertices.colors)
  }

  /// The map as triangles between neighboring pixels of the same surface.
  ///
  /// - Parameters:
  ///   - photo: The photo for the texture, converted as in ``pointCloud(of:camera:options:threads:)``. The photo may have any
  ///     size, and the map must cover all of it.
  ///   - camera: The photo's camera, which determines the rays through the pixels.
  ///   - options: The treatment of edges, and the simplification of the mesh.
  ///   - threads: Number of threads, 1…256; `nil` for one per processor. The number does not affect the result.
  /// - Throws: `DepthError`; see ``pointCloud(of:camera:options:threads:)``.
  public func mesh(
    of photo: Image, camera: Camera, options: GeometryOptions = GeometryOptions(),
    threads: Int? = nil
  ) throws -> DepthMesh {
    let threads = try ThreadCount.checked(threads)
    let surface = try surface(of: photo, camera, options, threads: threads)
    let pixelTriangles = RestrictedTriangulation(
      surface, tolerance: options.simplification, threads: threads
    ).triangles(threads: threads)
    let (pixels, triangles) = surface.compacted(pixelTriangles, threads: threads)
    let photo = photo.inSRGB
    let vertices = surface.vertices(at: pixels, colors: photo, threads: threads)
    return DepthMesh(
      positions: vertices.positions, normals: vertices.normals,
      textureCoordinates: surface.textureCoordinates(at: pixels, threads: threads),
      colors: vertices.colors, triangles: triangles, texture: photo)
  }

  private func surface(
    of photo: Image, _ camera: Camera, _ options: GeometryOptions, threads: Int
  ) throws -> DepthSurface {
    try unit.requireMetric(for: "geometry")
    try checkAspect(of: photo, within: DepthMap.aspectTolerance)
    return try DepthSurface(self, camera: camera, options: options, threads: threads)
  }
}
