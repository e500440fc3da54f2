import DepthBase
import DepthErrors
import DepthImages
import PictureFiles
public import SystemEssentials

/// A folder of textured things, pictures of surfaces and furnished rooms. Files are read on demand.
///
/// `things.json` lists the things. Each thing has a folder `things/NAME` with `mesh.obj` and
/// `texture.jpg`. Meshes are in metres with y up, centered on y = 0. `surfaces/surfaces.json` lists
/// `surfaces/NAME.jpg`, and `scenes/NAME.json` are rooms.
public struct ThingLibrary: Sendable {
  /// One thing of the list.
  struct Thing: Sendable, Decodable, Hashable {
    let name, group, kind, stands: String
    /// Width, height and depth, in metres.
    let size: [Float]

    enum CodingKeys: String, CodingKey {
      case name, group, kind, stands
      case size = "size_m"
    }
  }

  /// One surface of the list.
  struct Surface: Sendable, Decodable, Hashable {
    let name, kind, use: String
    /// The width of the picture, in metres.
    let edge: Float

    enum CodingKeys: String, CodingKey {
      case name, kind, use
      case edge = "edge_m"
    }
  }

  /// A room: things with poses, and the places for cameras.
  struct Room: Sendable, Decodable {
    struct Item: Sendable, Decodable {
      let thing: String
      /// Four rows of four numbers, from the thing's frame to the room's frame.
      let pose: [[Float]]
    }
    let items: [Item]
    /// x and z of two corners, in metres.
    let cameraBoxes: [[Float]]

    enum CodingKeys: String, CodingKey {
      case items
      case cameraBoxes = "camera_boxes"
    }
  }

  /// A thing's mesh and picture, as indices in a scene.
  struct Model: Sendable {
    let mesh, picture: Int
    /// Half of the width, height and depth, in metres.
    let half: Vector
    /// The size of a texel on most of the surface, in metres, or 0 for evenly colored faces.
    let texel: Float
  }

  let folder: URL
  let things: [Thing]
  let surfaces: [Surface]
  let rooms: [Room]
  private(set) var meshes: [TriangleMesh] = []
  private(set) var pictures: [SurfacePicture] = []
  private var models: [String: Model] = [:]
  private var surfacePictures: [String: Int] = [:]

  /// - Throws: `DepthError` for a list that cannot be read or is invalid.
  public init(contentsOf folder: URL) throws {
    self.folder = folder
    things = try Self.list(folder.appending(path: "things.json"), of: "things")
    surfaces = try Self.list(folder.appending(path: "surfaces/surfaces.json"), of: "surfaces")
    let scenes = folder.appending(path: "scenes")
    let files = try? FileManager.default.contentsOfDirectory(
      atPath: scenes.path(percentEncoded: false))
    rooms = try (files ?? []).filter { $0.hasSuffix(".json") }.sorted().map {
      try Self.room(scenes.appending(path: $0))
    }
    for thing in things where thing.size.count != 3 || !thing.size.allSatisfy({ $0 >= 0 }) {
      throw DepthError.damaged(
        file: folder.appending(path: "things.json").relativePath, format: "list of things",
        reason: "\(thing.name) has no size_m of three lengths")
    }
    guard !things.isEmpty, surfaces.allSatisfy({ $0.edge > 0 }) else {
      throw DepthError.damaged(
        file: folder.relativePath, format: "library",
        reason: things.isEmpty ? "it has no thing" : "a surface's edge_m is not positive")
    }
  }

  private static func list<Element: Decodable>(_ url: URL, of what: String) throws -> [Element] {
    let data = Data(try InputFile.bytes(of: url))
    do { return try JSONDecoder().decode([Element].self, from: data) } catch {
      throw DepthError.damaged(
        file: url.relativePath, format: "list of \(what)", reason: "it is not the JSON of one")
    }
  }

  private static func room(_ url: URL) throws -> Room {
    let data = Data(try InputFile.bytes(of: url))
    guard let room = try? JSONDecoder().decode(Room.self, from: data),
      room.items.allSatisfy({ $0.pose.count == 4 && $0.pose.allSatisfy { $0.count == 4 } }),
      room.cameraBoxes.allSatisfy({ $0.count == 4 }), !room.cameraBoxes.isEmpty
    else {
      throw DepthError.damaged(
        file: url.relativePath, format: "room",
        reason: "expected items with poses of 4 × 4 numbers, and camera_boxes of four")
    }
    return room
  }

  /// A thing's mesh and picture, which are read on first use.
  ///
  /// - Throws: `DepthError` for a file that cannot be read.
  mutating func model(of name: String) throws -> Model {
    if let model = models[name] { return model }
    let folder = folder.appending(path: "things/\(name)")
    let mesh = try TriangleMesh(contentsOf: folder.appending(path: "mesh.obj"))
    let picture = SurfacePicture(
      try Image(contentsOf: folder.appending(path: "texture.jpg")))
    meshes.append(mesh)
    pictures.append(picture)
    let model = Model(
      mesh: meshes.count - 1, picture: pictures.count - 1, half: mesh.half,
      texel: mesh.typicalPictureSize / Float(picture.width))
    models[name] = model
    return model
  }

  /// The index of a surface's picture, which is read on first use.
  mutating func picture(of surface: Surface) throws -> Int {
    if let known = surfacePictures[surface.name] { return known }
    let url = folder.appending(path: "surfaces/\(surface.name).jpg")
    pictures.append(SurfacePicture(try Image(contentsOf: url)))
    surfacePictures[surface.name] = pictures.count - 1
    return pictures.count - 1
  }
}
