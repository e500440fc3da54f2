import DepthBase

extension Scene {
  /// The exact normal of every pixel of a view, row by row in the camera's frame: x right, y down,
  /// z forward. Meshes have the interpolated normals of their shading.
  public func normals(from camera: SceneCamera, threads: Int? = nil) -> [Vector] {
    parallelRows(camera.height, threads: threads ?? availableProcessors) { y in
      (0..<camera.width).map { x in
        let normal = surface(on: camera.ray(x: Float(x) + 0.5, y: Float(y) + 0.5)).normal
        let axes = camera.axes
        return Vector(dot(normal, axes.x), -dot(normal, axes.y), dot(normal, axes.z))
      }
    }
  }
}
