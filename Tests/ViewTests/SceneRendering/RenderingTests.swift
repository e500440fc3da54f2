import DepthImages
import Testing

@testable import SceneRendering

@Suite struct RenderingTests {
  @Test("a rendering is equal on any number of threads", arguments: [2, 3, 4, 7])
  func sameBitsForAnyNumberOfThreads(threads: Int) {
    let scene = Scene.randomRoom(seed: 11)
    let camera = scene.camera(width: 67, height: 45)
    let one = Rendering(of: scene, from: camera, samples: 2, threads: 1)
    let many = Rendering(of: scene, from: camera, samples: 2, threads: threads)
    #expect(one.radiance == many.radiance)
    #expect(one.depth == many.depth)
    #expect(one.surfaces == many.surfaces)
    #expect(one.image == many.image)
  }

  @Test("a seed determines the room") func seedDecidesEverything() {
    func rendering(_ seed: UInt64) -> Rendering {
      let scene = Scene.randomRoom(seed: seed)
      return Rendering(of: scene, from: scene.camera(width: 40, height: 30), samples: 1)
    }
    let first = rendering(21)
    let again = rendering(21)
    #expect(first.radiance == again.radiance && first.depth == again.depth)
    for other in 22..<30 as Range<UInt64> {
      let different = rendering(other)
      #expect(different.depth != first.depth && different.image != first.image)
    }
  }

  @Test("a random room has finite depth and light at every pixel") func everyPixelIsDefined() {
    for seed in 100..<140 as Range<UInt64> {
      let scene = Scene.randomRoom(seed: seed)
      #expect(scene.contains(scene.viewpoint.position))
      #expect(scene.size.x >= 2.5 && scene.size.x <= 8 && scene.size.z >= 2.5 && scene.size.z <= 8)
      let rendering = Rendering(of: scene, from: scene.camera(width: 40, height: 30), samples: 1)
      #expect(rendering.depth.values.allSatisfy { $0.isFinite && $0 > 0.3 && $0 < 11.4 })
      #expect(rendering.radiance.allSatisfy { $0.min() >= 0 && $0.max().isFinite })
      let identities = 0..<(Scene.firstSolid + Int32(scene.solids.count))
      #expect(rendering.surfaces.allSatisfy { identities.contains($0) })
      // The picture is neither black nor white.
      let mean = rendering.image.pixels.reduce(0) { $0 + Int($1) } / (40 * 30 * 3)
      #expect((30...235).contains(mean), "room \(seed): mean gray \(mean)")
      #expect(Set(rendering.surfaces).count >= 4, "room \(seed)")
    }
  }

  @Test("supersampling changes the picture, not the depth") func supersamplingLeavesDepthAlone() {
    let scene = Scene.named(.livingRoom)
    let camera = scene.camera(width: 48, height: 36)
    let plain = Rendering(of: scene, from: camera, samples: 1)
    let fine = Rendering(of: scene, from: camera, samples: 4)
    #expect(plain.depth == fine.depth && plain.surfaces == fine.surfaces)
    #expect(plain.image != fine.image)
  }

  @Test("supersampling averages an edge by the covered share") func supersamplingAveragesEdges() {
    // A white board before a black wall covers 40 % of the center pixel's width.
    let dark = Material([0, 0, 0])
    let board = Solid.box(
      Material(Texture(.plain, [1, 1, 1]), glow: 1), center: [-0.5 - 0.1 * 2 / 15, 1, 2],
      size: [1, 1, 0.0001])
    let scene = Scene(
      size: [6, 2, 8],
      surroundings: .init(floor: dark, ceiling: dark, walls: [dark, dark, dark, dark]),
      solids: [board], lights: [], viewpoint: Viewpoint(position: [0, 1, 0]))
    let camera = scene.camera(width: 15, height: 9, focalLength: 15)
    let samples = 10
    let rendering = Rendering(of: scene, from: camera, samples: samples)
    let row = (0..<15).map { rendering.radiance[4 * 15 + $0].x }
    #expect(row[8] == 0 && row[6] > 0.5)
    #expect(abs(row[7] / row[6] - 0.4) < 0.02)
  }

  @Test("the noise of a photograph depends on the seed") func photographsAreSeededAndNoisy() {
    let scene = Scene.named(.steps)
    let rendering = Rendering(of: scene, from: scene.camera(width: 64, height: 48), samples: 1)
    let photo = rendering.photographed(seed: 3)
    #expect(photo == rendering.photographed(seed: 3))
    #expect(photo != rendering.photographed(seed: 4) && photo != rendering.image)
    #expect(photo.width == 64 && photo.height == 48)
  }

  @Test("the tone curve rises from black to white") func toneCurveRisesFromBlackToWhite() {
    let grays: [Vector] = stride(from: Float(0), through: 8, by: 0.01).map { Vector(repeating: $0) }
    let pixels = Rendering.encoded(grays, width: grays.count, height: 1).pixels
    let channel = stride(from: 0, to: pixels.count, by: 3).map { pixels[$0] }
    #expect(channel.first == 0 && channel.last == 255)
    #expect(zip(channel, channel.dropFirst()).allSatisfy { $0 <= $1 })
    // The sRGB value of 1 − exp(−1.15 · 0.2) = 0.2055 is 0.4910.
    #expect(channel[20] == 125)
  }

  @Test("a camera outside the room traps") func cameraOutsideTheRoomTraps() async {
    await #expect(processExitsWith: .failure) {
      let scene = Scene.named(.steps)
      _ = Rendering(
        of: scene, from: SceneCamera(Viewpoint(position: [50, 1, 0]), width: 4, height: 4))
    }
  }
}
