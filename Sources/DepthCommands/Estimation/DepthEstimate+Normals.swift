import DepthGeometry
import DepthImages
import MonocularDepth

extension DepthEstimate {
  /// The normals of the finished map: the network's own, or else normals of planes through the map's points.
  func finishedNormals(threads: Int) throws -> NormalMap {
    try networkNormals(of: depth, threads: threads)
      ?? depth.normals(camera: camera.camera, threads: threads)
  }
}
