import SystemEssentials

/// The way of a camera through a scene, one viewpoint per frame.
public enum CameraMotion: String, Sendable, CaseIterable {
  /// The camera stands still.
  case still
  /// It sways sideways and turns, as a hand or a slow robot does.
  case sway
  /// It goes forward and back at the pace of a walk, at most a metre a second, with its steps.
  case walk
}

extension Scene {
  /// Frames of one sway.
  private static let period: Float = 90
  /// Metres to each side, and radians.
  private static let (reach, turn): (Float, Float) = (0.2, 0.06)

  /// The viewpoint of a frame of a clip; frame 0 is the scene's own.
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

  /// Frames from one end of a walk to the other and back, at a metre a second for the longest one.
  private static let walk = 2 * .pi * longestWalk * 30 / 2
  private static let longestWalk: Float = 1.2

  /// A viewpoint of a walk at 30 frames a second; two steps a second lift the camera, and tip it a little.
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

  /// As far as the camera can move to both sides and forward without meeting anything, up to ``reach``.
  private var freeReach: Float {
    let axes = Basis(yaw: viewpoint.yaw, pitch: viewpoint.pitch, roll: viewpoint.roll)
    let room =
      [axes.x, -axes.x, axes.z].map { direction in
        depth(on: Ray(origin: viewpoint.position, direction: direction))
      }.min() ?? 0
    return min(Self.reach, room / 2)
  }

  /// The scene with more bodies.
  private func adding(_ added: [Solid]) -> Scene {
    Scene(
      size: size,
      surroundings: Surroundings(
        floor: faces[2], ceiling: faces[3], walls: [faces[0], faces[1], faces[4], faces[5]]),
      solids: solids + added, lights: lights, viewpoint: viewpoint, meshes: meshes,
      pictures: pictures)
  }

  /// The scene with a ball that crosses the picture before the camera: out on the left in the first frame, out
  /// on the right in the last one.
  public func withCrossingBall(frame: Int, of frames: Int) -> Scene {
    let axes = Basis(yaw: viewpoint.yaw, pitch: viewpoint.pitch, roll: viewpoint.roll)
    let share = Float(frame) / Float(max(frames - 1, 1))
    let center = viewpoint.position + axes.z * 1.3 + axes.x * mix(-1.3, 1.3, share)
    let ball = Material(Texture(.stripes, [0.75, 0.2, 0.1], [0.85, 0.8, 0.7], scale: 0.12))
    return adding([.sphere(ball, center: center, radius: 0.3)])
  }

  /// The scene with somebody who walks across the picture, 2.2 m before the camera: out on the left in the first
  /// frame, out on the right in the last one.
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
    // Legs and arms swing by turns, a step each half second.
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
