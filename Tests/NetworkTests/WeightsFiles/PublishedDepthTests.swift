import DepthImages
import Foundation
import Testing
import _TestSupport

@testable import MonocularDepth
@testable import WeightsFiles

/// Depths of published files equal the depths of another implementation.
@Suite struct PublishedDepthTests {
  private static let weights: GeneratedWeights = {
    var sizes = PublishedWeights.sizes
    (sizes.blocks, sizes.takenBlocks) = (4, [1, 2, 3, 4])
    return .depthAnything(sizes)
  }()

  /// At 518 × 518 no position is resampled. Implementations resample positions differently.
  private static let photo = Image(
    height: 518, width: 518,
    pixels: (0..<518 * 518).flatMap { pixel -> [UInt8] in
      let (y, x) = (pixel / 518, pixel % 518)
      return [UInt8((x * 255) / 517), UInt8((y * 255) / 517), UInt8((x / 37 + y / 37) % 2 * 200)]
    })

  /// Depths at ``places`` by `transformers` 5 (PyTorch, float32), from equal weights and photo.
  private static let depths: [WeightsKind: [Float]] = [
    .relative: [0.0620578, 0.05481006, 0.1110499, 0.05170743, 0, 0.05481006],
    .indoor: [10.31019, 10.27398, 10.55468, 10.25848, 9.202198, 10.27398],
  ]
  private static let places = [(0, 0), (0, 517), (259, 172), (172, 259), (517, 0), (517, 517)]

  /// Tolerances are shares of the largest depth, for other rounding orders and for 16 or 8 bits.
  @Test(
    "published files give the depth of the transformers library",
    arguments: [WeightsKind.relative, .indoor])
  func depthIsThatOfAnotherImplementation(kind: WeightsKind) throws {
    let expected = try #require(Self.depths[kind])
    let authors = try PublishedWeights(Self.weights).ofTwelveBlocks
    let folder = try TemporaryFolder()
    for (bytes, precision, tolerance) in [
      (authors.torchFile(), Precision.float32, Float(1e-5)),
      (authors.ofTransformers.safetensors(), .float32, 1e-5),
      (authors.torchFile(.float16), .float32, 1e-3), (authors.torchFile(), .int8, 0.05),
    ] {
      let file = try folder.write(bytes, to: "weights")
      let estimator = try DepthEstimator(
        WeightsSelection(files: [URL(filePath: file)], kind: kind), precision: precision)
      let camera = estimator.training.camera(width: 518, height: 518)
      let depth = try estimator.estimate(
        of: Self.photo, options: DepthOptions(camera: .given(camera), refinement: .none)
      ).depth
      for (place, value) in zip(Self.places, expected) {
        let found = depth.values[place.0 * 518 + place.1]
        #expect(abs(found - value) <= tolerance * (kind == .indoor ? 11.4 : 0.27), "\(place)")
      }
    }
  }
}
