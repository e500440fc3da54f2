public import CDepthLibrary
import DepthBase
import DepthGeometry
import DepthImages
import PictureFiles

/// `depth_normals`.
@_cdecl("depth_normals")
public func normals(
  _ depth: UnsafePointer<depth_map>?, _ focalLength: Double,
  _ normals: UnsafeMutablePointer<depth_map>?, _ failure: UnsafeMutablePointer<depth_failure>?
) -> depth_status {
  unsafe call(failure) {
    try require(
      focalLength > 0 && focalLength.isFinite,
      "the focal length is \(focalLength), expected pixels of the map")
    let depth = try unsafe CallerMap.map(depth, limits: ImageLimits())
    let size = (height: depth.height, width: 3 * depth.width)
    let target = try unsafe CallerMap.Target(normals, size: size, unit: Int32(DEPTH_NORMALS))
    guard target.wantsValues else { return try target.write(nil) }
    try MemoryNeed(.mapWithNormals, pixels: depth.values.count).require(for: "the depth map")
    let made = try ThreadShare.run(of: ThreadCount.checked(nil)) {
      try depth.normals(
        camera: Camera(width: depth.width, height: depth.height, focalLength: focalLength),
        threads: $0)
    }
    // The unit has no meaning for normals.
    try target.write(
      DepthMap(
        height: size.height, width: size.width, unit: .relativeDisparity,
        values: made.values(in: .opencv)))
  }
}
