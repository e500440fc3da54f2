import SystemEssentials

/// The way of a camera through a scene, one viewpoint per frame.
public enum CameraMotion: String, Sendable, CaseIterable {
  /// The camera stands still.
  case still
  /// It sways sideways and turns, as a hand or a slow robot does.
  case sway
}

extension Scene {
  /// Frames of one sway.
  private static let period: Float = 90
  /// Metres to each side, and radians.
  private static let (reach, turn): (Float, Float) = (0.2, 0.06)

  /// The viewpoint of a frame of a clip; frame 0 is the scene's own.
  public func viewpoint(frame: Int, motion: CameraMotion) -> Viewpoint {
    guard motion == .sway else { return viewpoint }
    let phase = 2 * Float.pi * Float(frame) / Self.period
    let axes = Basis(yaw: viewpoint.yaw, pitch: viewpoint.pitch, roll: viewpoint.roll)
    var moved = viewpoint
    moved.position += axes.x * (freeReach * sin(phase))
    moved.position += axes.z * (freeReach * 0.5 * (1 - cos(phase)) * 0.5)
    moved.yaw += Self.turn * sin(phase)
    return moved
  }

  /// As far as the camera can move to both sides and forward without meeting anything, up to ``reach``.
  private var freeReach: Float {
    let axes = Basis(yaw: viewpoint.yaw, pitch: viewpoint.pitch, roll: viewpoint.roll)
    let room =
      [axes.x, -axes.x, axes.z].map { direction in
        depth(on: Ray(origin: viewpoint.position, direction: direction))
      }.min() ?? 0
    return min(Self.reach, room / 2)
  }

  /// The scene with one more body.
  public func adding(_ solid: Solid) -> Scene {
    Scene(
      size: size,
      surroundings: Surroundings(
        floor: faces[2], ceiling: faces[3], walls: [faces[0], faces[1], faces[4], faces[5]]),
      solids: solids + [solid], lights: lights, viewpoint: viewpoint)
  }

  /// The scene with a ball that crosses the picture before the camera: out on the left in the first frame, out
  /// on the right in the last one.
  public func withCrossingBall(frame: Int, of frames: Int) -> Scene {
    let axes = Basis(yaw: viewpoint.yaw, pitch: viewpoint.pitch, roll: viewpoint.roll)
    let share = Float(frame) / Float(max(frames - 1, 1))
    let center = viewpoint.position + axes.z * 1.3 + axes.x * mix(-1.3, 1.3, share)
    let ball = Material(Texture(.stripes, [0.75, 0.2, 0.1], [0.85, 0.8, 0.7], scale: 0.12))
    return adding(.sphere(ball, center: center, radius: 0.3))
  }
}

extension SceneCamera {
  /// The 4 × 4 matrix from camera to room coordinates, by rows; the camera's x is to the right, y down, z along
  /// the optical axis, all in metres.
  public var cameraToRoom: [Double] {
    let (x, y, z, p) = (axes.x, -axes.y, axes.z, viewpoint.position)
    var rows: [Double] = []
    for row in 0..<3 {
      for column in [x, y, z, p] { rows.append(Double(column[row])) }
    }
    return rows + [0, 0, 0, 1]
  }
}
