import DepthErrors
import DepthImages
import SystemEssentials
import Testing
import _TestSupport

@testable import SceneRendering

@Suite struct ThingScenesTests {
  private let files: ThingFolder

  init() throws { files = try ThingFolder() }

  private func rendering(
    _ kind: SceneKind, _ seed: UInt64
  ) throws -> (scene: Scene, rendering: Rendering) {
    var library: ThingLibrary? = try ThingLibrary(contentsOf: files.url)
    let (scene, focalLength) = try kind.scene(seed: seed, library: &library)
    let camera = scene.camera(width: 40, height: 30, focalLength: 40 * focalLength)
    return (scene, Rendering(of: scene, from: camera, samples: 1))
  }

  @Test(
    "a seed determines the scene of a library",
    arguments: [SceneKind.nearThings, .thingRooms])
  func seedDecidesEverything(kind: SceneKind) throws {
    let first = try rendering(kind, 3).rendering
    let again = try rendering(kind, 3).rendering
    #expect(first.radiance == again.radiance && first.depth == again.depth)
    // Earlier scenes of the library do not matter.
    var library: ThingLibrary? = try ThingLibrary(contentsOf: files.url)
    for seed in [9, 4, 3] as [UInt64] {
      let (scene, focalLength) = try kind.scene(seed: seed, library: &library)
      let camera = scene.camera(width: 40, height: 30, focalLength: 40 * focalLength)
      let other = Rendering(of: scene, from: camera, samples: 1)
      #expect((other.depth == first.depth) == (seed == 3))
      #expect((other.radiance == first.radiance) == (seed == 3))
    }
  }

  @Test(
    "every pixel of a scene is defined",
    arguments: [SceneKind.nearThings, .thingRooms])
  func everyPixelIsDefinedAndTheCameraIsFree(kind: SceneKind) throws {
    for seed in 100..<124 as Range<UInt64> {
      let (scene, rendering) = try rendering(kind, seed)
      #expect(scene.isClear(scene.viewpoint.position), "\(seed)")
      #expect(rendering.depth.values.allSatisfy { $0.isFinite && $0 > 0.01 && $0 < 15 })
      #expect(rendering.radiance.allSatisfy { $0.min() >= 0 && $0.max().isFinite })
      let photo = rendering.photographed(seed: seed, keepsHighlights: true)
      let mean = photo.pixels.reduce(0) { $0 + Int($1) } / photo.pixels.count
      #expect((25...235).contains(mean), "\(seed): mean gray \(mean)")
      #expect(Set(rendering.surfaces).count >= 2, "\(seed)")
      if kind == .nearThings {
        let near = rendering.depth.values.sorted()[rendering.depth.values.count / 10]
        #expect(near < 2, "\(seed): a tenth of the picture is farther than \(near)")
      }
    }
  }

  @Test("a stored room has its pieces in place") func aStoredRoomHasItsPiecesWhereItSays() throws {
    var library = try ThingLibrary(contentsOf: files.url)
    let room = try #require(library.rooms.first)
    let scene = try Scene.storedRoom(room, seed: 2, library: &library).scene
    // The shell of 4 m is around (1, 7), with equal margins outside. The table is 0.5 m to the
    // right.
    let floor: Float = 0.05
    #expect(abs(scene.size.x - 4.6) < 1e-4 && abs(scene.size.y - 2.6) < 1e-4)
    let table = try #require(scene.solids.first { abs($0.shape.half.y - 0.35) < 1e-4 })
    #expect((table.shape.center - [0.5, floor + 0.35, 0]).length < 1e-4)
    let pane = try #require(
      scene.solids.firstIndex { abs($0.shape.half.y - 0.5) < 1e-4 && $0.material.hidesDepth })
    #expect((scene.solids[pane].shape.center - [-1, floor + 1.5, 1.95]).length < 1e-4)
    #expect(scene.lights.count >= 1)
    let camera = SceneCamera(
      Viewpoint(position: [-1, 1.5, 0.5]), width: 40, height: 30)
    let rendering = Rendering(of: scene, from: camera, samples: 1)
    let known = rendering.depthOfSolids(of: scene)
    for (index, surface) in rendering.surfaces.enumerated() {
      let solid = Int(surface - Scene.firstSolid)
      let isHidden = solid >= 0 && scene.solids[solid].material.showsElsewhere
      #expect((known.values[index] == 0) == isHidden)
    }
    #expect(rendering.surfaces.contains(Scene.firstSolid + Int32(pane)))
  }

  @Test(
    "a damaged list of things, surfaces or rooms is named",
    arguments: [
      ("things.json", "damaged list of things: it is not the JSON of one"),
      ("surfaces/surfaces.json", "damaged list of surfaces: it is not the JSON of one"),
      (
        "scenes/cell.json",
        "damaged room: expected items with poses of 4 × 4 numbers, and camera_boxes of four"
      ),
    ])
  func aBadListIsNamed(file: String, message: String) throws {
    try ThingFolder.write("{}", to: file, in: files.folder)
    let error = #expect(throws: DepthError.self) { try ThingLibrary(contentsOf: files.url) }
    #expect(error?.message == message && error?.file?.hasSuffix(file) == true)
  }

  @Test("a missing mesh is named") func aMissingMeshIsNamed() throws {
    var library = try ThingLibrary(contentsOf: files.url)
    #expect(try TemporaryFolder.remove(files.folder.path("things/die/mesh.obj")))
    let error = #expect(throws: DepthError.self) { try library.model(of: "die") }
    #expect(error?.file?.hasSuffix("things/die/mesh.obj") == true)
  }

  @Test("keepsHighlights prevents clipping of bright parts")
  func brightPartsAreKeptWhereAskedFor() throws {
    // A white ball covers a tenth of a dark room's picture. Metering by the mean clips the ball.
    let dark = Material([0.01, 0.01, 0.01])
    let scene = Scene(
      size: [6, 3, 8],
      surroundings: .init(floor: dark, ceiling: dark, walls: [dark, dark, dark, dark]),
      solids: [.sphere(Material([0.9, 0.9, 0.9]), center: [0, 1.2, 3], radius: 0.6)],
      lights: [.lamp(at: [0, 2.8, 1], radius: 0.1, power: [9, 9, 9])],
      viewpoint: .init(position: [0, 1.2, 0]))
    let rendering = Rendering(of: scene, from: scene.camera(width: 64, height: 48), samples: 1)
    func white(_ photo: Image) -> Int { photo.pixels.count { $0 > 250 } }
    let burnt = (0..<8).reduce(0) { $0 + white(rendering.photographed(seed: $1)) }
    let kept = (0..<8).reduce(0) {
      $0 + white(rendering.photographed(seed: $1, keepsHighlights: true))
    }
    #expect(kept * 3 < burnt, "\(kept) of \(burnt)")
  }
}
