import DepthBase
import DepthImages
import DepthNetworks
import Foundation
import NeuralEngine
import Testing
import _TestSupport

@testable import MonocularDepth
@testable import WeightsFiles

/// Scales of 8-bit maps, and the stored loss that decides whether `auto` uses integers.
@Suite struct WeightsCalibrationTests {
  private static func weights(in folder: TemporaryFolder, version: Int = 1) throws -> URL {
    let weights = GeneratedWeights(widthDivisor: 16)
    try writeHDF5(
      weights, attributes: weights.attributes, to: folder.path("w.h5"), version: version)
    return URL(filePath: folder.path("w.h5"))
  }

  /// Smaller scales would clip values of the calibration photos.
  @Test("scales cover the largest magnitude of all calibration photos")
  func scalesReachTheLargestMagnitudeOfAllPhotos() throws {
    let folder = try TemporaryFolder()
    let file = try Self.weights(in: folder)
    let photos = [3, 4].map { MadeUpPictures.photo(height: 48, width: 64, seed: $0) }
    let found = try WeightsCalibration(weights: file, photos: 2, threads: 2) { photos[$0] }
    let opened = try WeightsSource.file(file).opened(kind: nil)
    let network = try LoadedNetwork(
      opened, call: CallContext(threads: 2), backend: .best, precision: .float32)
    var ends: [String: (low: Float, high: Float)] = [:]
    for photo in photos {
      let size = network.inputSize
      let image = resizedLanczos(photo, height: size.height, width: size.width, threads: 2)
      let input = network.input(for: image, addsMirrored: false, threads: 2) { _, _ in image }
      let plan = network.program.memoryPlan(forInput: input.shape, threads: 2)
      let maps = try MemoryPool().withMemory(for: plan) {
        try network.program.run(input, in: $0, keeping: Set(network.program.valueNames)).kept
      }
      for (name, map) in maps {
        let (low, high) = ends[name] ?? (0, 0)
        ends[name] = (map.elements.reduce(low, min), map.elements.reduce(high, max))
      }
    }
    #expect(ends.values.contains { -$0.low > $0.high })
    #expect(!found.layers.isEmpty)
    #expect(
      found.layers
        == opened.network.output.calibratedLayers(largest: ends.mapValues { max(-$0.low, $0.high) })
    )
  }

  @Test(
    "auto uses integers up to the largest allowed loss",
    arguments: [(Precision.largestLoss, .int8), (0.0021, .float32), (nil, .float32)]
      as [(Double?, Arithmetic)])
  func integersAreUsedUpToTheLargestLoss(loss: Double?, precision: Arithmetic) throws {
    let folder = try TemporaryFolder()
    let photo = MadeUpPictures.photo(height: 48, width: 64)
    let calibration = try WeightsCalibration(
      weights: Self.weights(in: folder), photos: 1, threads: 2
    ) { _ in photo }
    let file = try folder.write(calibration.calibrated(loss: loss), to: "calibrated.h5")
    let estimator = try DepthEstimator(
      WeightsSelection(files: [URL(filePath: file)]), threads: 2, precision: .auto)
    #expect(estimator.precision == precision)
  }

  /// With the original's checksums, the copy would appear damaged or identical to the original.
  @Test("a calibrated copy has new checksums") func theCopyHasChecksumsOfItsOwn() throws {
    let folder = try TemporaryFolder()
    let photo = MadeUpPictures.photo(height: 48, width: 64)
    let weights = try Self.weights(in: folder, version: 2)
    let calibration = try WeightsCalibration(weights: weights, photos: 1, threads: 2) { _ in photo }
    let bytes = try calibration.calibrated(loss: 0.5)
    let rest = Array(bytes.dropFirst(WeightsBlock.count))
    #expect(Array(bytes.prefix(WeightsBlock.count)) == WeightsBlock.bytes(for: rest))
    let copy = try HDF5WeightArchive(path: folder.write(bytes, to: "calibrated.h5"))
    try copy.verifyDigest()
    #expect(try copy.sha256 != HDF5WeightArchive(path: weights.path).sha256)
  }
}
