import DepthErrors
import DepthImages
import Foundation
import Testing
import _TestSupport

@testable import MonocularDepth

/// Depth Anything V2 from photo to map: input rule, camera and refusals.
@Suite struct DepthAnythingEstimateTests {
  /// A weights file with a small network. The file is deleted with `folder`.
  static func weights(
    in folder: TemporaryFolder, largest: Double? = 20, focalLength: Double = 0.8
  ) throws -> URL {
    let archive = GeneratedWeights.depthAnything(largest: largest, trainingFocalLength: focalLength)
    let path = folder.path("weights-\(largest ?? 0)-\(focalLength).h5")
    try writeHDF5(archive, attributes: archive.attributes, to: path, version: 2)
    return URL(filePath: path)
  }

  /// Rows and columns by the published rule `lower_bound`, with halves to even.
  @Test(
    "the input keeps the photo's proportions by the published rule",
    arguments: [
      (480, 640, 518, 518, 686), (640, 480, 518, 686, 518), (1080, 1920, 518, 518, 924),
      (100, 100, 518, 518, 518), (518, 518, 252, 252, 252), (480, 640, 308, 308, 406),
      (3000, 4000, 1036, 1036, 1386), (375, 1242, 518, 518, 1722),
    ])
  func inputsKeepProportions(height: Int, width: Int, side: Int, rows: Int, columns: Int) {
    let size = InputRule.proportional(side: side, cell: 14, most: .max).inputSize(
      height: height, width: width)
    #expect(size == (rows, columns))
    #expect(
      InputRule.proportional(side: side, cell: 14, most: .max).mapSize(height: height, width: width)
        == size)
  }

  /// NumPy rounds halves to even: 2.5 patches become 2, and 3.5 become 4.
  @Test(
    "half patches are rounded to an even number of patches",
    arguments: [(2, 5, 14, 28), (2, 7, 14, 56), (2, 9, 14, 56), (4, 5, 28, 28), (4, 7, 28, 56)])
  func halvesOfPatchesGoToEven(short: Int, long: Int, rows: Int, columns: Int) {
    let rule = InputRule.proportional(side: rows, cell: 14, most: .max)
    #expect(rule.inputSize(height: short, width: long) == (rows, columns))
    #expect(rule.inputSize(height: long, width: short) == (columns, rows))
  }

  @Test("photos of any proportions are estimated") func estimatesPhotosOfAnyProportions() throws {
    let folder = try TemporaryFolder()
    let selection = WeightsSelection(files: [try Self.weights(in: folder)], inputSize: 252)
    let estimator = try DepthEstimator(selection, threads: 2)
    #expect(estimator.architecture == "depth-anything-v2")
    #expect(estimator.outputSize == (252, 336))
    #expect(try estimator.weightsIdentifier().hasSuffix("+input252"))
    for (height, width, rows, columns) in [(48, 64, 252, 336), (90, 30, 756, 252)] {
      let photo = testImage(height: height, width: width)
      let depth = try estimator.depth(of: photo, options: .unrefined)
      #expect((depth.height, depth.width) == (rows, columns))
      #expect(estimator.outputSize(height: height, width: width) == (rows, columns))
      #expect(depth.values.allSatisfy { $0 > 0 && $0 < 20 })
      #expect(try estimator.using(threads: 3).depth(of: photo, options: .unrefined) == depth)
      // This estimator packs its weights for each run.
      let once = try DepthEstimator(selection, threads: 1, keepsWeights: false)
      #expect(try once.depth(of: photo, options: .unrefined) == depth)
    }
    let mirrored = try DepthEstimator(
      WeightsSelection(files: selection.files, averagesMirrored: true, inputSize: 252), threads: 2)
    let photo = testImage(height: 48, width: 64)
    #expect(try mirrored.estimate(of: photo, options: .unrefined).spread != nil)
  }

  @Test("twice the training focal length doubles metres") func metresFollowTheFocalLength() throws {
    let folder = try TemporaryFolder()
    let estimator = try DepthEstimator(
      WeightsSelection(files: [try Self.weights(in: folder)], inputSize: 252), threads: 2)
    let photo = testImage(height: 48, width: 64)
    let plain = try estimator.estimate(of: photo, options: .unrefined)
    #expect(plain.camera.source == .assumed && plain.camera.depthFactor == 1)
    #expect(plain.camera.camera.focalLength == 0.8 * 64)
    let given = Camera(width: 64, height: 48, focalLength: 2 * 0.8 * 64)
    let twice = try estimator.estimate(
      of: photo, options: DepthOptions(camera: .given(given), refinement: .none))
    expectClose(
      twice.depth.values, plain.depth.values.map { 2 * $0 }, absolute: 0, relative: 1e-6)
    #expect(
      try estimator.estimate(
        of: photo, options: DepthOptions(camera: .uncorrected, refinement: .none)
      ).camera.depthFactor == 1)
  }

  @Test("an input size must be in range and a multiple of 14")
  func otherInputSizesAreRefused() throws {
    let folder = try TemporaryFolder()
    let file = try Self.weights(in: folder)
    for side in [0, -14, 238, 300, 1050, Int.max] {
      let error = try #require(throws: DepthError.self) {
        try DepthEstimator(WeightsSelection(files: [file], inputSize: side))
      }
      #expect(error.code == .invalidArgument && error.message.contains("a multiple of 14"))
    }
    let error = try #require(throws: DepthError.self) {
      try DepthEstimator(WeightsSelection(files: [WeightsInMemoryTests.url], inputSize: 308))
    }
    #expect(error.code == .invalidArgument && error.message.contains("has one input size"))
  }

  /// int8 needs no calibration. `auto` chooses int8 only if the file states the loss.
  @Test("int8 without calibration is close to floats") func computesWithIntegers() throws {
    let folder = try TemporaryFolder()
    let selection = WeightsSelection(files: [try Self.weights(in: folder)], inputSize: 252)
    let photo = testImage(height: 48, width: 64)
    let exact = try DepthEstimator(selection, threads: 2).depth(of: photo, options: .unrefined)
    let integers = try DepthEstimator(selection, threads: 2, precision: .int8)
    #expect(integers.precision == .int8)
    let depth = try integers.depth(of: photo, options: .unrefined)
    #expect(depth != exact)
    #expect(try integers.using(threads: 3).depth(of: photo, options: .unrefined) == depth)
    let range = (exact.values.max() ?? 0) - (exact.values.min() ?? 0)
    // Random weights amplify the errors of single pixels.
    let errors = zip(depth.values, exact.values).map { abs($0 - $1) }
    let mean = errors.reduce(0, +) / Float(errors.count)
    #expect(mean < 0.01 * range, "\(mean / range)")
    #expect(errors.allSatisfy { $0 < 0.15 * range }, "\((errors.max() ?? 0) / range)")
    let once = try DepthEstimator(selection, threads: 1, precision: .int8, keepsWeights: false)
    #expect(try once.depth(of: photo, options: .unrefined) == depth)
    #expect(try DepthEstimator(selection, precision: .auto).precision == .float32)
  }

  @Test("a side of over 16 times the other side is refused")
  func elongatedPhotosAreRefused() throws {
    let folder = try TemporaryFolder()
    let file = try Self.weights(in: folder)
    let estimator = try DepthEstimator(
      WeightsSelection(files: [file], inputSize: 252), threads: 1)
    let error = try #require(throws: DepthError.self) {
      try estimator.depth(of: testImage(height: 10, width: 170), options: .unrefined)
    }
    #expect(error.message.contains("crop it"))
    // A side of exactly 16 times the other side is accepted.
    let rule = InputRule.proportional(side: 252, cell: 14, most: .max)
    #expect(throws: Never.self) { try rule.check(height: 160, width: 10) }
    #expect(throws: DepthError.self) { try rule.check(height: 10, width: 161) }
  }

  @Test("networks of two training cameras are not combined") func camerasAreNotMixed() throws {
    let folder = try TemporaryFolder()
    let files = [
      try Self.weights(in: folder), try Self.weights(in: folder, focalLength: 0.6),
    ]
    let error = try #require(throws: DepthError.self) { try DepthEstimator(.files(files)) }
    #expect(error.message.contains("another camera"))
  }
}
