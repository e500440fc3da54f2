import DepthBase
public import DepthImages
import SystemEssentials

/// A closed room with things, lamps and windows, as ground truth for depth and stereo.
///
/// Build a scene from solids, use one of the ``named(_:)`` scenes, or let ``randomRoom(seed:)``
/// furnish a room.
public struct Scene: Sendable {
  /// The six inner faces of the room.
  public struct Surroundings: Sendable, Hashable {
    public var floor, ceiling: Material
    /// The left (−x), right (+x), near (−z) and far (+z) wall.
    public var walls: [Material]

    /// - Precondition: There are four walls.
    public init(floor: Material, ceiling: Material, walls: [Material]) {
      precondition(walls.count == 4, "\(walls.count) walls, expected 4")
      (self.floor, self.ceiling, self.walls) = (floor, ceiling, walls)
    }
  }

  /// The identity of solid 0. Smaller identities are the room's faces: −x, +x, floor, ceiling, −z
  /// and +z.
  public static let firstSolid: Int32 = 6

  /// The room's width, height and depth, in metres. The floor's center is the origin.
  public let size: Vector
  public let solids: [Solid]
  public let lights: [Light]
  /// The meshes and pictures to which solids refer by index.
  let meshes: [TriangleMesh]
  let pictures: [SurfacePicture]
  /// A good place for a camera.
  public private(set) var viewpoint: Viewpoint
  let shell: Shape
  let faces: [Material]
  let hierarchy: BoundingVolumeHierarchy
  /// The radiance that replaces all reflections after the first.
  private(set) var ambient = Vector.zero
  /// The factor that brings the scene's radiance into a camera's range, equal for every view.
  private(set) var exposure: Float = 1

  /// - Parameters:
  ///   - size: The room's width, height and depth, in metres.
  ///   - viewpoint: A place inside the room and outside every solid.
  ///   - meshes: The meshes to which solids refer by index.
  ///   - pictures: The pictures to which materials refer by index.
  ///   - meteringPoint: The place at which the room's light is metered, if solids hide the faces.
  public init(
    size: Vector, surroundings: Surroundings, solids: [Solid], lights: [Light],
    viewpoint: Viewpoint, meshes: [TriangleMesh] = [], pictures: [SurfacePicture] = [],
    meteringPoint: Vector? = nil
  ) {
    precondition(size.min() > 0, "room is \(size) metres, expected positive sides")
    (self.size, self.solids, self.lights) = (size, solids, lights)
    (self.meshes, self.pictures) = (meshes, pictures)
    self.viewpoint = viewpoint
    shell = Shape(.box, center: [0, size.y / 2, 0], half: size / 2)
    let walls = surroundings.walls
    faces = [walls[0], walls[1], surroundings.floor, surroundings.ceiling, walls[2], walls[3]]
    hierarchy = BoundingVolumeHierarchy(
      solids.map(\.shape), blocksLight: solids.map(\.castsShadow), meshes: meshes)
    let reflected = wallRadiance(from: meteringPoint)
    let mean = reflected.reduce(.zero, +) / Float(reflected.count)
    ambient = mean * 0.7  // about the sum of later bounces at 40 % reflectance
    // The log mean is the brightness that an eye sees. The patch of a lamp hardly changes it.
    let logMean =
      reflected.reduce(Float(0)) { $0 + log(max($1.luminance + ambient.luminance / 2, 1e-6)) }
      / Float(reflected.count)
    exposure = 0.4 / exp(logMean)
  }

  /// The same scene with another viewpoint.
  func seen(from viewpoint: Viewpoint) -> Scene {
    var scene = self
    scene.viewpoint = viewpoint
    return scene
  }

  /// Whether a point is inside the room.
  public func contains(_ position: Vector) -> Bool {
    abs(position.x) < size.x / 2 && abs(position.z) < size.z / 2 && position.y > 0
      && position.y < size.y
  }

  /// The default camera at the scene's viewpoint.
  public func camera(width: Int = 640, height: Int = 480, focalLength: Float? = nil) -> SceneCamera
  {
    SceneCamera(viewpoint, width: width, height: height, focalLength: focalLength)
  }

  /// The exact depth of every pixel of a view, in metres along the optical axis, without a picture.
  ///
  /// - Parameter threads: The number of rows in progress, by default the machine's number of cores.
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
