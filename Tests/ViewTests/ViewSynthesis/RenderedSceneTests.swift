import DepthImages
import SceneRendering
import SystemEssentials
import Testing
import ViewSynthesis

/// Synthesized views of rendered rooms, with exact depth and eyes 63 mm apart, resemble true ones.
@Suite struct RenderedSceneTests {
  enum Room: String, CaseIterable, CustomTestStringConvertible {
    case livingRoom, poleBeforeWall, steps, random
    var testDescription: String { rawValue }
    var scene: Scene {
      switch self {
      case .livingRoom: .named(.livingRoom)
      case .poleBeforeWall: .named(.poleBeforeWall)
      case .steps: .named(.steps)
      case .random: .randomRoom(seed: 3)
      }
    }
  }

  /// A scene from the photo's camera and from both eyes.
  struct Views {
    let center, left, right: Rendering
    let baseline: Float = 0.063

    init(of scene: Scene) {
      let camera = SceneCamera(scene.viewpoint, width: 640, height: 480)
      center = Rendering(of: scene, from: camera)
      left = Rendering(of: scene, from: camera.shifted(by: -baseline / 2))
      right = Rendering(of: scene, from: camera.shifted(by: baseline / 2))
    }

    /// For each pixel of an eye's true view, whether the photo also shows the point.
    func visible(_ eye: Rendering, towards sign: Float) -> [Bool] {
      let width = eye.camera.width
      return eye.depth.values.indices.map { index in
        let depth = eye.depth.values[index]
        let x = Float(index % width) + sign * eye.camera.focalLength * baseline / 2 / depth
        let column = Int(x.rounded())
        guard column >= 0 && column < width else { return false }
        let there = index / width * width + column
        return center.surfaces[there] == eye.surfaces[index]
          && abs(center.depth.values[there] - depth) < 0.02 * depth
      }
    }

    func pair(_ filling: StereoOptions.HoleFilling) throws -> StereoPair {
      var options = StereoOptions()
      options.holeFilling = filling
      // The cameras are parallel, so the plane without parallax is infinitely far.
      options.amount = .metric(
        MetricParallax(
          baseline: Double(baseline), focalLength: .pixels(Double(center.camera.focalLength)),
          screenDistance: 1e9))
      return try center.image.stereoPair(depth: center.depth, options: options)
    }
  }

  static func psnr(_ found: Image, _ truth: Image, where counts: (Int) -> Bool) -> Double {
    var sum = 0.0
    var count = 0
    for index in 0..<found.height * found.width where counts(index) {
      for channel in 0..<3 {
        let at = index * 3 + channel
        let difference = Double(found.pixels[at]) - Double(truth.pixels[at])
        sum += difference * difference
        count += 1
      }
    }
    return 10 * log10(255 * 255 * Double(max(count, 1)) / max(sum, 1e-9))
  }

  @Test(
    "visible parts of views have a PSNR above 34 dB",
    arguments: Room.allCases)
  func viewsMatchTheTrueOnes(_ name: Room) throws {
    let views = Views(of: name.scene)
    let pair = try views.pair(.blended)
    let stretched = try views.pair(.stretched)
    for (view, plain, holes, truth, sign) in [
      (pair.left, stretched.left, pair.leftHoles, views.left, Float(-1)),
      (pair.right, stretched.right, pair.rightHoles, views.right, 1),
    ] {
      let visible = views.visible(truth, towards: sign)
      let picture = truth.image
      let seen = Self.psnr(view, picture) { visible[$0] }
      #expect(seen >= 34, "\(name): \(seen) dB where the photo shows the scene")
      let invented = Self.psnr(view, picture) { !visible[$0] && holes.values[$0] != 0 }
      let repeated = Self.psnr(plain, picture) { !visible[$0] && holes.values[$0] != 0 }
      print("\(name.rawValue): visible \(seen) dB, holes \(invented) dB, stretched \(repeated) dB")
      #expect(invented > repeated, "\(name): holes \(invented) dB, stretched \(repeated) dB")
    }
  }
}
