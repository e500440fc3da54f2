import DepthGeometry
import DepthImages
import MonocularDepth

extension DepthEstimate {
  /// The normals of the finished map's pixels: the network's own where it gives some, or those of planes through the map's points.
  func finishedNormals(threads: Int) throws -> NormalMap {
    try networkNormals(of: depth, threads: threads)
      ?? depth.normals(camera: camera.camera, threads: threads)
  }
}
