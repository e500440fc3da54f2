/// Which random scenes a seed chooses from.
public enum SceneKind: String, Sendable, CaseIterable {
  /// A room seen by a Kinect held level.
  case room
  /// A room with mirrors, seen by any camera, from anywhere, tilted.
  case anyCamera = "any-camera"
  /// Things on a table, 0.15 to 1.5 m away.
  case tableTop = "table-top"
  /// Tools, packs and other things on a bench or in a bin that fills the picture, 0.25 to 1.4 m away.
  case bench
  /// Things of a library on tables, on shelves and in boxes, 0.15 to 1.6 m away.
  case nearThings = "near-things"
  /// Rooms furnished with the things of a library, and its own rooms.
  case thingRooms = "thing-rooms"

  /// Whether its scenes are made of a ``ThingLibrary``, and half of its pictures are upright.
  public var needsLibrary: Bool { self == .nearThings || self == .thingRooms }

  /// The scene and the focal length of its camera, in units of the picture's longer side.
  ///
  /// - Parameter library: What the scene is made of; it keeps what it had to read.
  /// - Precondition: there is a library for a kind that needs one.
  /// - Throws: `DepthError` for a file of the library that cannot be read.
  public func scene(
    seed: UInt64, library: inout ThingLibrary?
  ) throws -> (scene: Scene, focalLength: Float) {
    switch self {
    case .nearThings, .thingRooms:
      guard var things = library else { preconditionFailure("\(rawValue) without a library") }
      library = nil  // else its lists would be copied when they grow
      defer { library = things }
      return self == .nearThings
        ? try Scene.nearThings(seed: seed, library: &things)
        : try Scene.thingRoom(seed: seed, library: &things)
    case .room: return (Scene.randomRoom(seed: seed), 525 / 640)
    case .anyCamera: return Scene.anyCamera(seed: seed)
    case .tableTop: return Scene.tableTop(seed: seed)
    case .bench: return Scene.bench(seed: seed)
    }
  }
}

extension SplitMix64 {
  /// In units of the picture's width: horizontal fields of view of 40 to 100 degrees, as from a short telephoto lens
  /// to the wide camera of a phone or headset.
  mutating func focalLength() -> Float { exp2Approximately(self(-1.25...0.458)) }

  /// 2ˣ by repeated products, the same bits on every machine.
  private func exp2Approximately(_ x: Float) -> Float {
    // 2ˣ = (1 + x ln 2 / 1024)¹⁰²⁴ to a part in a thousand, which is plenty for a random camera.
    var power = 1 + x * 0.693_147_2 / 1024
    for _ in 0..<10 { power *= power }
    return power
  }
}
