public import CDepthLibrary
import DepthBase
import DepthImages
import MonocularDepth

/// `depth_align`.
@_cdecl("depth_align")
public func align(
  _ photo: UnsafePointer<depth_picture>?, _ depth: UnsafePointer<depth_map>?,
  _ sparse: UnsafePointer<depth_map>?, _ noise: Double, _ map: UnsafeMutablePointer<depth_map>?,
  _ failure: UnsafeMutablePointer<depth_failure>?
) -> depth_status {
  unsafe call(failure) {
    let photo = try unsafe CallerPicture(photo)
    let depth = try unsafe CallerMap.map(depth, limits: photo.limits)
    let points = try unsafe CallerMap.map(sparse, limits: photo.limits)
    let target = try unsafe CallerMap.Target(
      map, size: (depth.height, depth.width), unit: CallerMap.number(of: .metres))
    guard target.wantsValues else { return try target.write(nil) }
    let image = try photo.image(
      for: MemoryNeed(
        .map, pixels: max(photo.height * photo.width, depth.values.count),
        mapPixels: points.values.count, decodingBytesPerPixel: photo.decodingBytesPerPixel))
    for map in [depth, points] { try map.checkAspect(of: image) }
    let aligned = try ThreadShare.run(of: ThreadCount.checked(nil)) {
      try depth.aligned(
        to: points, guidedBy: image, noise: noise, call: CallContext(threads: $0)
      ).map
    }
    try target.write(aligned)
  }
}
