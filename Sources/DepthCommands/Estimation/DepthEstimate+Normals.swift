import DepthGeometry
import DepthImages
import MonocularDepth

extension DepthEstimate {
  /// The normals of the finished map. A network without normals is replaced by planes through the map's points.
  func finishedNormals(threads: Int) throws -> NormalMap {
    try networkNormals(of: depth, threads: threads)
      ?? depth.normals(camera: camera.camera, threads: threads)
  }
}
