import DepthGeometry
import DepthImages
import MonocularDepth

extension DepthEstimate {
  /// The normals of the finished map: those of the network if it has some, or else of planes through the map's points.
  func finishedNormals(threads: Int) throws -> NormalMap {
    try networkNormals(of: depth, threads: threads)
      ?? depth.normals(camera: camera.camera, threads: threads)
  }
}
