/// The kinds of random scenes.
public enum SceneKind: String, Sendable, CaseIterable {
  /// A room for a level Kinect.
  case room
  /// A room with mirrors for any camera, at any place and tilt.
  case anyCamera = "any-camera"
  /// Things on a table, 0.15 to 1.5 m away.
  case tableTop = "table-top"
  /// Tools, packs and other things on a bench or in a bin that fills the picture, 0.25 to 1.4 m away.
  case bench
  /// Things of a library on tables, on shelves and in boxes, 0.15 to 1.6 m away.
  case nearThings = "near-things"
  /// Rooms with the things of a library, and the library's rooms.
  case thingRooms = "thing-rooms"

  /// Whether scenes consist of a ``ThingLibrary``, and half of the pictures are upright.
  public var needsLibrary: Bool { self == .nearThings || self == .thingRooms }

  /// The scene and the camera's focal length, in units of the picture's longer side.
  ///
  /// - Parameter library: The library of the scene, which keeps the files that the scene reads.
  /// - Precondition: There is a library if the kind needs a library.
  /// - Throws: `DepthError` for a file of the library that cannot be read.
  public func scene(
    seed: UInt64, library: inout ThingLibrary?
  ) throws -> (scene: Scene, focalLength: Float) {
    switch self {
    case .nearThings, .thingRooms:
      guard var things = library else { preconditionFailure("\(rawValue) without a library") }
      library = nil  // else growing lists would be copied
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
  /// A focal length in units of the picture's width. Horizontal fields of view are 40 to 100
  /// degrees, from a short telephoto lens to the wide camera of a phone or headset.
  mutating func focalLength() -> Float { exp2Approximately(self(-1.25...0.458)) }

  /// 2ˣ by repeated products, with equal bits on every machine.
  private func exp2Approximately(_ x: Float) -> Float {
    // 2ˣ = (1 + x ln 2 / 1024)¹⁰²⁴ within a thousandth, which suffices for a random camera.
    var power = 1 + x * 0.693_147_2 / 1024
    for _ in 0..<10 { power *= power }
    return power
  }
}
