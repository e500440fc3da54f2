import DepthBase
public import DepthImages

extension Scene {
  /// The exact depth of every pixel of a view, metres along the optical axis, without a picture.
  ///
  /// - Parameter threads: Rows under way at once; by default as many as the machine has cores.
  public func depth(from camera: SceneCamera, threads: Int? = nil) -> DepthMap {
    DepthMap(
      height: camera.height, width: camera.width, unit: .metres,
      values: parallelRows(camera.height, threads: threads ?? availableProcessors) { y in
        (0..<camera.width).map { x in
          depth(on: camera.ray(x: Float(x) + 0.5, y: Float(y) + 0.5))
        }
      })
  }
}
