public import DepthImages

/// The position and direction of a camera.
public struct Viewpoint: Sendable, Hashable {
  /// The position in the room's frame, in metres.
  public var position: Vector
  /// Angles in radians: `yaw` turns right from +z, `pitch` up from the horizon, and `roll` lowers
  /// the camera's right side.
  public var yaw, pitch, roll: Float

  public init(position: Vector, yaw: Float = 0, pitch: Float = 0, roll: Float = 0) {
    (self.position, self.yaw, self.pitch, self.roll) = (position, yaw, pitch, roll)
  }
}

/// A pinhole camera at a place in the scene.
///
/// Pixel `(y, x)` has its center at `(x + ½ − width/2, y + ½ − height/2)` from the principal point.
public struct SceneCamera: Sendable, Hashable {
  public let viewpoint: Viewpoint
  /// The picture's size and the focal length, in pixels.
  public let intrinsics: Camera
  /// The focal length in pixels.
  public let focalLength: Float
  /// The picture's width in pixels.
  public var width: Int { intrinsics.width }
  /// The picture's height in pixels.
  public var height: Int { intrinsics.height }
  let axes: Basis

  /// - Parameters:
  ///   - focalLength: Pixels. The default is the first Kinect's focal length, 525 px for the longer
  ///     side of 640.
  /// - Precondition: The sides and the focal length are positive.
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

  /// This camera after a move to its right, in the same direction.
  ///
  /// A point at depth `Z` metres then appears `focalLength · baseline / Z` pixels farther left, as
  /// in the other eye of a parallel stereo rig.
  ///
  /// - Parameter baseline: The distance in metres. Negative distances move to the left.
  public func shifted(by baseline: Float) -> SceneCamera {
    var moved = viewpoint
    moved.position += axes.x * baseline
    return SceneCamera(moved, width: width, height: height, focalLength: focalLength)
  }

  /// The point at a depth behind pixel coordinates, in the room's frame.
  ///
  /// - Parameters:
  ///   - x: Pixels from the image's left edge. The first pixel's center is ½.
  ///   - y: Pixels from the image's top edge.
  ///   - depth: Metres along the optical axis.
  public func point(x: Float, y: Float, depth: Float) -> Vector {
    ray(x: x, y: y).point(at: depth)
  }

  /// The ray through a pixel coordinate, whose parameter `t` is depth along the optical axis.
  @inline(__always)
  func ray(x: Float, y: Float) -> Ray {
    let right = (x - Float(width) / 2) / focalLength
    let up = (Float(height) / 2 - y) / focalLength
    return Ray(origin: viewpoint.position, direction: axes(Vector(right, up, 1)))
  }
}
