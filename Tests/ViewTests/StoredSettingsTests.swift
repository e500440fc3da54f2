import DepthEffects
import DepthGeometry
import DepthImages
import Foundation
import Testing
import ViewSynthesis

/// A program's stored settings are restored exactly.
@Suite struct StoredSettingsTests {
  private func restored<Settings: Codable>(_ settings: Settings) throws -> Settings {
    try JSONDecoder().decode(Settings.self, from: JSONEncoder().encode(settings))
  }

  @Test(
    "lens settings are restored from JSON",
    arguments: [
      Lens(), Lens(radius: 0.02, blades: 7, rotation: 12),
      Lens(fNumber: 1.8, focalLength: 50, camera: .equivalent35mm(26)), Lens(fNumber: 2),
    ])
  func lenses(lens: Lens) throws {
    #expect(try restored(lens) == lens)
  }

  @Test(
    "focus and mask settings are restored from JSON",
    arguments: [
      DepthFocus.normalized(0.5), .metres(1.2), .point(x: 3, y: 4), .nearest, .subject,
    ])
  func focus(focus: DepthFocus) throws {
    #expect(try restored(focus) == focus)
    let shape = FocusMask(slope: 2, width: 0.2, scaling: .bicubic)
    #expect(try restored(shape) == shape)
  }

  @Test("stereo settings are restored from JSON") func stereo() throws {
    var options = StereoOptions()
    options.amount = .metric(MetricParallax(focalLength: .fieldOfView(63), screenDistance: 3))
    options.convergence = nil
    options.linearIn = .normalized(near: .black)
    options.edgeDilation = .init(across: 2, down: 1)
    (options.holeFilling, options.frameEdges, options.balance) = (.stretched, .crop, 0.25)
    #expect(try restored(options) == options)
    #expect(try restored(StereoOptions()) == StereoOptions())
  }

  @Test("geometry settings are restored from JSON") func geometry() throws {
    let options = GeometryOptions(edgeThreshold: nil, fillsHoles: true, simplification: 4)
    #expect(try restored(options) == options)
  }
}
