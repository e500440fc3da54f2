import SystemEssentials

/// The path of a camera through a scene, with one viewpoint per frame.
public enum CameraMotion: String, Sendable, CaseIterable {
  /// The camera stands still.
  case still
  /// The camera sways sideways and turns, like a hand or a slow robot.
  case sway
  /// The camera walks forward and back with steps, at most a metre a second.
  case walk
}

extension Scene {
  /// The number of frames of one sway.
  private static let period: Float = 90
  /// The distance to each side, in metres, and the turn, in radians.
  private static let (reach, turn): (Float, Float) = (0.2, 0.06)

  /// The viewpoint of a clip's frame. Frame 0 has the scene's viewpoint.
  public func viewpoint(frame: Int, motion: CameraMotion) -> Viewpoint {
    switch motion {
    case .still: return viewpoint
    case .walk: return walking(frame: frame)
    case .sway: break
    }
    let phase = 2 * Float.pi * Float(frame) / Self.period
    let axes = Basis(yaw: viewpoint.yaw, pitch: viewpoint.pitch, roll: viewpoint.roll)
    var moved = viewpoint
    moved.position += axes.x * (freeReach * sin(phase))
    moved.position += axes.z * (freeReach * 0.5 * (1 - cos(phase)) * 0.5)
    moved.yaw += Self.turn * sin(phase)
    return moved
  }

  /// The number of frames of a walk to one end and back. The longest walk reaches a metre a second.
  private static let walk = 2 * .pi * longestWalk * 30 / 2
  private static let longestWalk: Float = 1.2

  /// A viewpoint of a walk at 30 frames a second. Two steps a second lift and tip the camera.
  private func walking(frame: Int) -> Viewpoint {
    let axes = Basis(yaw: viewpoint.yaw, pitch: viewpoint.pitch, roll: viewpoint.roll)
    let free = depth(on: Ray(origin: viewpoint.position, direction: axes.z))
    let reach = min(Self.longestWalk, free / 2)
    let phase = 2 * Float.pi * Float(frame) / Self.walk
    let step = 2 * Float.pi * Float(frame) / 15
    var moved = viewpoint
    moved.position += axes.z * (reach * (1 - cos(phase)) / 2)
    moved.position += axes.y * (0.012 * (1 - cos(step)))
    moved.position += axes.x * (0.015 * sin(step / 2))
    moved.pitch += 0.004 * sin(step)
    moved.yaw += 0.006 * sin(step / 2)
    return moved
  }

  /// The distance that the camera can move to both sides and forward, up to ``reach``.
  private var freeReach: Float {
    let axes = Basis(yaw: viewpoint.yaw, pitch: viewpoint.pitch, roll: viewpoint.roll)
    let room =
      [axes.x, -axes.x, axes.z].map { direction in
        depth(on: Ray(origin: viewpoint.position, direction: direction))
      }.min() ?? 0
    return min(Self.reach, room / 2)
  }

  /// The scene with further bodies.
  private func adding(_ added: [Solid]) -> Scene {
    Scene(
      size: size,
      surroundings: Surroundings(
        floor: faces[2], ceiling: faces[3], walls: [faces[0], faces[1], faces[4], faces[5]]),
      solids: solids + added, lights: lights, viewpoint: viewpoint, meshes: meshes,
      pictures: pictures)
  }

  /// The scene with a ball that crosses the picture before the camera. The ball is out on the left
  /// in the first frame, and out on the right in the last frame.
  public func withCrossingBall(frame: Int, of frames: Int) -> Scene {
    let axes = Basis(yaw: viewpoint.yaw, pitch: viewpoint.pitch, roll: viewpoint.roll)
    let share = Float(frame) / Float(max(frames - 1, 1))
    let center = viewpoint.position + axes.z * 1.3 + axes.x * mix(-1.3, 1.3, share)
    let ball = Material(Texture(.stripes, [0.75, 0.2, 0.1], [0.85, 0.8, 0.7], scale: 0.12))
    return adding([.sphere(ball, center: center, radius: 0.3)])
  }

  /// The scene with a person who walks across the picture, 2.2 m before the camera. The person is
  /// out on the left in the first frame, and out on the right in the last frame.
  public func withCrossingPerson(frame: Int, of frames: Int) -> Scene {
    let axes = Basis(yaw: viewpoint.yaw)
    let share = Float(frame) / Float(max(frames - 1, 1))
    var feet = viewpoint.position + axes.z * 2.2 + axes.x * mix(-2.1, 2.1, share)
    feet.y = 0
    func place(_ x: Float, _ y: Float, _ z: Float = 0) -> Vector {
      feet + axes.x * x + axes.z * z + Vector(0, y, 0)
    }
    let shirt = Material(Texture(.stripes, [0.15, 0.25, 0.55], [0.75, 0.78, 0.82], scale: 0.09))
    let trousers = Material([0.12, 0.12, 0.14])
    let skin = Material([0.78, 0.56, 0.44])
    // Legs and arms swing in turn, with a step each half second.
    let swing = 0.28 * sin(2 * Float.pi * Float(frame) / 30)
    return adding([
      .ellipsoid(skin, center: place(0, 1.62), size: Vector(0.18, 0.24, 0.2)),
      .ellipsoid(shirt, center: place(0, 1.18), size: Vector(0.36, 0.66, 0.46)),
      .rod(trousers, from: place(0, 0.92, 0.09), to: place(swing, 0.05, 0.09), radius: 0.085),
      .rod(trousers, from: place(0, 0.92, -0.09), to: place(-swing, 0.05, -0.09), radius: 0.085),
      .rod(shirt, from: place(0, 1.42, 0.24), to: place(-swing, 0.85, 0.26), radius: 0.05),
      .rod(shirt, from: place(0, 1.42, -0.24), to: place(swing, 0.85, -0.26), radius: 0.05),
    ])
  }
}

extension SceneCamera {
  /// The 4 × 4 matrix from camera to room coordinates, by rows, in metres. The camera's x is to the
  /// right, y down, and z along the optical axis.
  public var cameraToRoom: [Double] {
    let (x, y, z, p) = (axes.x, -axes.y, axes.z, viewpoint.position)
    var rows: [Double] = []
    for row in 0..<3 {
      for column in [x, y, z, p] { rows.append(Double(column[row])) }
    }
    return rows + [0, 0, 0, 1]
  }
}
