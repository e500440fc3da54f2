public import DepthImages

/// Position and direction of a camera.
public struct Viewpoint: Sendable, Hashable {
  /// Metres in the room's frame.
  public var position: Vector
  /// Radians: `yaw` turns right from +z, `pitch` up from the horizon, `roll` the camera's right
  /// side down.
  public var yaw, pitch, roll: Float

  public init(position: Vector, yaw: Float = 0, pitch: Float = 0, roll: Float = 0) {
    (self.position, self.yaw, self.pitch, self.roll) = (position, yaw, pitch, roll)
  }
}

/// A pinhole camera with a place in the scene.
///
/// Pixel `(y, x)` has its center at `(x + ½ − width/2, y + ½ − height/2)` from the principal point.
public struct SceneCamera: Sendable, Hashable {
  public let viewpoint: Viewpoint
  /// Size of the picture and focal length, pixels.
  public let intrinsics: Camera
  /// Pixels.
  public let focalLength: Float
  /// Pixels.
  public var width: Int { intrinsics.width }
  /// Pixels.
  public var height: Int { intrinsics.height }
  let axes: Basis

  /// - Parameters:
  ///   - focalLength: Pixels; by default that of the first Kinect, 525 px for the longer side of
  ///     640.
  /// - Precondition: sides and focal length are positive.
  public init(
    _ viewpoint: Viewpoint, width: Int = 640, height: Int = 480, focalLength: Float? = nil
  ) {
    let focalLength = focalLength ?? 525 * Float(max(width, height)) / 640
    precondition(
      width > 0 && height > 0 && focalLength > 0,
      "camera is \(width)×\(height) with focal length \(focalLength), expected positive")
    self.viewpoint = viewpoint
    intrinsics = Camera(width: width, height: height, focalLength: Double(focalLength))
    self.focalLength = focalLength
    axes = Basis(yaw: viewpoint.yaw, pitch: viewpoint.pitch, roll: viewpoint.roll)
  }

  /// The same camera moved to its own right, looking in the same direction.
  ///
  /// A point at depth `Z` metres then appears `focalLength · baseline / Z` pixels further left: the
  /// true other eye of a parallel stereo rig.
  ///
  /// - Parameter baseline: Metres; negative moves left.
  public func shifted(by baseline: Float) -> SceneCamera {
    var moved = viewpoint
    moved.position += axes.x * baseline
    return SceneCamera(moved, width: width, height: height, focalLength: focalLength)
  }

  /// The point that pixel coordinates see at a depth, in the room's frame.
  ///
  /// - Parameters:
  ///   - x: Pixels from the left edge of the image; the first pixel's center is ½.
  ///   - y: Pixels from the top edge.
  ///   - depth: Metres along the optical axis.
  public func point(x: Float, y: Float, depth: Float) -> Vector {
    ray(x: x, y: y).point(at: depth)
  }

  /// The ray through a pixel coordinate; its parameter `t` is depth along the optical axis.
  @inline(__always)
  func ray(x: Float, y: Float) -> Ray {
    let right = (x - Float(width) / 2) / focalLength
    let up = (Float(height) / 2 - y) / focalLength
    return Ray(origin: viewpoint.position, direction: axes(Vector(right, up, 1)))
  }
}
