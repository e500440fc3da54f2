import DepthImages
import Foundation
import SceneRendering
import Testing

@testable import measure

/// Measures of rendered clips, whose truth is exact.
@Suite struct ClipMeasuresTests {
  private static let size = (height: 48, width: 64)

  /// The truth of a wall before a moving camera.
  private func truth(_ motion: CameraMotion, frames: [Int]) -> ClipTruth {
    let scene = Scene.named(.slantedWall)
    let cameras = frames.map {
      SceneCamera(
        scene.viewpoint(frame: $0, motion: motion), width: Self.size.width,
        height: Self.size.height)
    }
    return ClipTruth(
      camera: MapCamera(
        focalLength: cameras[0].intrinsics.focalLength, photoWidth: Self.size.width,
        photoHeight: Self.size.height, height: Self.size.height, width: Self.size.width),
      depths: cameras.map { Rendering(of: scene, from: $0, samples: 1).depth },
      poses: cameras.map { Pose(rows: Array($0.cameraToRoom.prefix(12))) }, cuts: [])
  }

  private func scaled(_ map: DepthMap, by factor: Float) -> DepthMap {
    DepthMap(
      height: map.height, width: map.width, unit: .metres, values: map.values.map { $0 * factor })
  }

  @Test("true maps have a low alignment error") func trueMapsAlign() throws {
    let truth = truth(.sway, frames: [0, 4])
    let measures = ClipMeasures(truth.depths, plain: truth.depths, truth: truth)
    #expect(measures.rel == 0 && measures.delta1 == 1 && measures.flicker == 0)
    #expect(try #require(measures.tae) < 0.012)
    let still = ClipTruth(
      camera: truth.camera, depths: truth.depths, poses: [.identity, .identity], cuts: [])
    let wrong = ClipMeasures(truth.depths, plain: truth.depths, truth: still)
    #expect(try #require(wrong.tae) > 2 * #require(measures.tae))
    let cut = ClipTruth(
      camera: truth.camera, depths: truth.depths, poses: truth.poses, cuts: [1])
    #expect(ClipMeasures(truth.depths, plain: truth.depths, truth: cut).tae == nil)
  }

  /// Two points lie in one line of sight of the second camera, which sees the nearer point.
  @Test("points hidden from one camera are no alignment error")
  func hiddenPointsAreNoError() throws {
    let camera = MapCamera(focalLength: 1, photoWidth: 3, photoHeight: 1, height: 1, width: 3)
    func map(_ values: [Float]) -> DepthMap {
      DepthMap(height: 1, width: 3, unit: .metres, values: values)
    }
    func pose(_ x: Double) -> Pose { Pose(rows: [1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0]) }
    for values in [[1, 4, 0], [0, 4, 1]] as [[Float]] {
      let side: Double = values[0] == 1 ? -1 : 1
      let error = temporalAlignmentError(
        map(values), pose(0), map([0, 1, 0]), pose(side), camera: camera)
      #expect(try #require(error) == 0)
    }
  }

  /// The camera is still. The second map is a fifth too far.
  @Test("an error of scale shows in rel, TAE and flicker") func scaleErrorsCount() throws {
    let truth = truth(.still, frames: [0, 1])
    let maps = [truth.depths[0], scaled(truth.depths[1], by: 1.2)]
    let measures = ClipMeasures(maps, plain: maps, truth: truth)
    #expect(abs(measures.rel - 0.1) < 1e-6 && measures.delta1 == 1)
    let tae = try #require(measures.tae)
    #expect(abs(tae - (0.2 / 1.2 + 0.2) / 2) < 1e-3)
    let flicker = try #require(measures.flicker)
    #expect(abs(flicker - log(1.2) / 2.0.squareRoot()) < 1e-3)
  }

  @Test(
    "step response is the number of frames to nine tenths of a jump",
    arguments: [(Float(1), 1), (0.6, 3), (0.4, 5)])
  func stepResponse(share: Float, frames: Int) {
    let count = 14
    let plain = (0..<count).map { frame in
      DepthMap(
        height: 8, width: 8, unit: .metres,
        values: [Float](repeating: frame < 5 ? 4 : 2, count: 64))
    }
    let camera = MapCamera(focalLength: 8, photoWidth: 8, photoHeight: 8, height: 8, width: 8)
    let poses = [Pose](repeating: .identity, count: count)
    let truth = ClipTruth(camera: camera, depths: plain, poses: poses, cuts: [])
    var running = log(Float(4))
    let filtered = plain.map { map in
      running += share * (log(map.values[0]) - running)
      return DepthMap(
        height: 8, width: 8, unit: .metres, values: [Float](repeating: exp(running), count: 64))
    }
    #expect(ClipMeasures(filtered, plain: plain, truth: truth).stepFrames == frames)
    let cut = ClipTruth(camera: camera, depths: plain, poses: poses, cuts: [5])
    #expect(ClipMeasures(filtered, plain: plain, truth: cut).stepFrames == nil)
  }

  @Test("every frame has new noise") func noiseIsNewInEveryFrame() {
    let scene = Scene.named(.steps)
    let rendering = Rendering(of: scene, from: scene.camera(width: 24, height: 18), samples: 1)
    let first = rendering.photographed(seed: 3, noiseSeed: 0)
    #expect(first != rendering.photographed(seed: 3, noiseSeed: 1))
    #expect(first == rendering.photographed(seed: 3, noiseSeed: 0))
    let means = [0, 1].map { seed in
      rendering.photographed(seed: 3, noiseSeed: seed).pixels.reduce(0.0) { $0 + Double($1) }
    }
    // Exposure and white balance are constant.
    #expect(abs(means[0] / means[1] - 1) < 0.01)
  }

  @Test("the ball is nearest in the middle of its crossing") func theBallCrossesThePicture() {
    let scene = Scene.named(.slantedWall)
    let camera = scene.camera(width: 32, height: 24)
    func nearest(_ frame: Int) -> Float {
      Rendering(of: scene.withCrossingBall(frame: frame, of: 11), from: camera, samples: 1)
        .depth.values.min() ?? 0
    }
    #expect(abs(nearest(5) - 1) < 0.05)
    #expect(nearest(0) > 1.4 && nearest(10) > 1.4)
  }
}

extension Pose {
  /// A camera at the origin of the room, which looks along the room's z.
  fileprivate static let identity = Pose(rows: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0])
}
