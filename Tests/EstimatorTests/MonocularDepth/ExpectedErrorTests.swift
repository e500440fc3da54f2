import DepthErrors
import DepthImages
import Foundation
import HDF5Files
import Testing
import _TestSupport

@testable import MonocularDepth

/// The expected error of each pixel, from one or several networks.
@Suite struct ExpectedErrorTests {
  /// Two networks with expected errors, and one network without expected errors.
  private struct Files {
    let folder: TemporaryFolder
    let first, second, silent: URL

    init() throws {
      folder = try TemporaryFolder()
      func write(_ weights: GeneratedWeights, _ name: String, in folder: TemporaryFolder) throws
        -> URL
      {
        try writeHDF5(weights, attributes: weights.attributes, to: folder.path(name))
        return URL(filePath: folder.path(name))
      }
      first = try write(.lite2(), "first.h5", in: folder)
      second = try write(
        .lite2(
          widthDivisor: 16, hasSkipConnections: false, height: 60, width: 80, seed: 7),
        "second.h5", in: folder)
      silent = try write(.lite2(outputs: 1), "silent.h5", in: folder)
    }
  }

  private let photo = testImage(height: 64, width: 96)

  private func flipped(_ map: ErrorMap) -> [Float] {
    (0..<map.height).flatMap { y in
      map.values[y * map.width..<(y + 1) * map.width].reversed()
    }
  }

  /// |ln d₁ − ln d₂|, filtered against the dots of up-projections.
  private func distances(_ first: DepthMap, _ second: DepthMap) -> ErrorMap {
    ErrorMap(
      height: first.height, width: first.width,
      values: zip(first.values, second.values).map { Float(abs(log(Double($0)) - log(Double($1)))) }
    ).withoutLattice()
  }

  /// The file's factor also applies to unknown cameras, but only in messages.
  @Test("the weights' factor enlarges the errors of other cameras")
  func errorsGrowByTheFactorOfTheWeights() throws {
    let files = try Files()
    let weights = GeneratedWeights.lite2()
    for (name, value, error) in [
      ("three.h5", 3.0, nil),
      (
        "none.h5", 0.5,
        "none.h5: attribute 'other_camera_error_factor' is 0.5, expected 1.0 to 10.0"
      ),
    ] {
      let changed = ["other_camera_error_factor": HDF5Attribute.numbers([value])]
      try writeHDF5(
        weights, attributes: weights.attributes.merging(changed) { $1 },
        to: files.folder.path(name))
      guard let error else { continue }
      let thrown = #expect(throws: DepthError.self) {
        try DepthEstimator(.file(files.folder.url(name)))
      }
      #expect(thrown?.description.hasSuffix(error) == true, "\(thrown as Any)")
    }
    func found(
      _ selection: WeightsSelection, _ ratio: Double?
    ) throws -> (camera: Double?, told: Double) {
      let camera = ratio.map { Camera(width: 96, height: 64, focalLength: $0 * 73.42) }
      let options = DepthOptions(
        camera: camera.map { .given($0) } ?? .uncorrected, refinement: .none)
      let estimate = try DepthEstimator(selection).estimate(of: photo, options: options)
      return (
        try estimate.cameraUncertainty.map { try $0 / #require(estimate.uncertainty) },
        estimate.toldErrorFactor
      )
    }
    let three = files.folder.url("three.h5")
    for (selection, factor) in [
      (WeightsSelection.file(three), 3.0), (.file(files.first), 2),
      (.files([files.first, three]), 3),
    ] {
      #expect(try found(selection, 1) == (1, 1))
      #expect(try found(selection, nil) == (1, factor))
      for ratio in [0.9, 1.1] {
        let (camera, told) = try found(selection, ratio)
        #expect(try abs(#require(camera) - factor) < 1e-12 && told == factor)
      }
    }
    #expect(try found(.file(files.silent), 1.1).camera == nil)
  }

  @Test("a network with a second output gives each pixel an expected error")
  func oneNetworkGivesExpectedErrors() throws {
    let files = try Files()
    let estimate = try DepthEstimator(.file(files.first)).estimate(of: photo, options: .unrefined)
    let errors = try #require(estimate.expectedError)
    #expect(errors.height == estimate.depth.height && errors.width == estimate.depth.width)
    #expect(errors.values.allSatisfy { $0.isNormal && $0 > 0 })
    #expect(Set(errors.values).count > 100 && errors.values != estimate.depth.values)
    #expect(
      try DepthEstimator(.file(files.silent)).estimate(of: photo, options: .unrefined).expectedError
        == nil)
    // The error is relative, so the camera does not change the error.
    let camera = Camera(width: 96, height: 64, focalLength: 300)
    let tele = try DepthEstimator(.file(files.first)).estimate(
      of: photo, options: DepthOptions(camera: .given(camera), refinement: .none))
    #expect(tele.expectedError == errors && tele.depth != estimate.depth)
  }

  @Test("errors of photo and mirrored photo are averaged") func mirroredPhotoIsAveraged() throws {
    let files = try Files()
    let single = try DepthEstimator(.file(files.first))
    let mirror = Image(
      height: photo.height, width: photo.width,
      pixels: (0..<photo.height * photo.width).flatMap { pixel -> ArraySlice<UInt8> in
        let (y, x) = pixel.quotientAndRemainder(dividingBy: photo.width)
        let at = ((y + 1) * photo.width - 1 - x) * 3
        return photo.pixels[at..<at + 3]
      })
    func networkErrors(of image: Image) throws -> ErrorMap {
      try #require(
        try single.networks[0].maps(
          of: single.prepared(image).inputs[0], threads: 2, memory: MemoryPool())[0].error)
    }
    let own = try networkErrors(of: photo)
    let other = flipped(try networkErrors(of: mirror))
    let both = try DepthEstimator(WeightsSelection(files: [files.first], averagesMirrored: true))
      .estimate(of: photo, options: .unrefined)
    let mean = ErrorMap(
      height: own.height, width: own.width,
      values: zip(own.values, other).map { Float((Double($0) + Double($1)) / 2) })
    #expect(both.expectedError == mean.withoutLattice())
  }

  /// (e₁ + e₂) / 2 + ¼ · |ln d₁ − ln d₂| / 2, filtered, in any order of files.
  @Test("two networks add their disagreement to the expected error", arguments: [false, true])
  func twoNetworksAddTheirDisagreement(isMirrored: Bool) throws {
    let files = try Files()
    func estimate(_ weights: [URL], threads: Int = 2) throws -> DepthEstimate {
      try DepthEstimator(
        WeightsSelection(files: weights, averagesMirrored: isMirrored), threads: threads
      )
      .estimate(of: photo, options: .unrefined)
    }
    let (a, b) = (try estimate([files.first]), try estimate([files.second]))
    let both = try estimate([files.first, files.second])
    let (first, second) = (try #require(a.expectedError), try #require(b.expectedError))
    let joint = try #require(both.expectedError)
    let distances = distances(a.depth, b.depth)
    for pixel in joint.values.indices {
      let expected =
        (Double(first.values[pixel]) + Double(second.values[pixel])
          + Double(distances.values[pixel]) / 4) / 2
      #expect(abs(Double(joint.values[pixel]) - expected) < 1e-6 * (1 + expected))
      let mean = (Double(a.depth.values[pixel]) * Double(b.depth.values[pixel])).squareRoot()
      #expect(abs(Double(both.depth.values[pixel]) - mean) < 1e-6 * mean)
    }
    #expect(try estimate([files.second, files.first]) == both)
    for threads in [1, 3] {
      #expect(try estimate([files.first, files.second], threads: threads) == both)
    }
    // The network without errors contributes only depth.
    let silent = try estimate([files.silent])
    let partly = try #require(try estimate([files.first, files.silent]).expectedError)
    let silentDistances = self.distances(a.depth, silent.depth)
    for pixel in partly.values.indices {
      let expected =
        Double(first.values[pixel]) + Double(silentDistances.values[pixel]) / 8
      #expect(abs(Double(partly.values[pixel]) - expected) < 1e-6 * (1 + expected))
    }
    #expect(try estimate([files.silent, files.silent]).expectedError == nil)
    // Two copies of one network have no disagreement.
    #expect(try estimate([files.first, files.first]).expectedError == a.expectedError)
  }

  /// The mean error plus a quarter of the mean distance from the mean logarithm.
  @Test("the expected error of three networks does not depend on their order")
  func moreNetworksHaveNoOrder() throws {
    func depth(_ values: [Float]) -> DepthMap {
      DepthMap(height: 1, width: 2, unit: .metres, values: values)
    }
    let maps = [depth([1, 2]), depth([2, 0]), depth([8, 3])]
    let errors = [[0.1, 0.3], [0.2, 0.3], [0.6, 0.7]].map {
      ErrorMap(height: 1, width: 2, values: $0.map(Float.init))
    }
    let found = try #require(MapEnsemble(maps, errors: errors).error)
    // Logarithms 0, 1 and 3 times ln 2 have the mean 4/3 and the distances 4/3, 1/3 and 5/3.
    #expect(abs(Double(found.values[0]) - (0.3 + 10 / 36 * log(2))) < 1e-6)
    // The second map has no value at this pixel, so only two maps give distances.
    #expect(abs(Double(found.values[1]) - (1.3 / 3 + log(1.5) / 8)) < 1e-6)
    for order in [[1, 2, 0], [2, 1, 0], [0, 2, 1]] {
      #expect(MapEnsemble(order.map { maps[$0] }, errors: order.map { errors[$0] }).error == found)
    }
  }

  @Test("weights that are packed for each photo give equal errors")
  func allPathsGiveEqualBits() throws {
    let files = try Files()
    let selection = WeightsSelection(files: [files.first, files.second], averagesMirrored: true)
    let estimator = try DepthEstimator(selection, threads: 2)
    let estimate = try estimator.estimate(of: photo, options: .unrefined)
    let once = try DepthEstimator(selection, threads: 2, keepsWeights: false)
    #expect(try once.estimate(of: photo, options: .unrefined) == estimate)
    let upright = testImage(height: 96, width: 64)
    let errors = try #require(
      try estimator.estimate(of: upright, options: .unrefined).expectedError)
    #expect(errors.height == 48 && errors.width == 32)
  }

  @Test("an asynchronous estimate equals the blocking estimate")
  func asynchronousCallsTellItAndEndEarly() async throws {
    let files = try Files()
    let photo = photo
    // In an `async` function, this expression calls the asynchronous initializer.
    func blocking() throws -> (DepthEstimator, DepthEstimate) {
      let estimator = try DepthEstimator(.files([files.first, files.second]), threads: 2)
      return (estimator, try estimator.estimate(of: photo, options: .unrefined))
    }
    let (estimator, expected) = try blocking()
    #expect(try await estimator.estimate(of: photo, options: .unrefined) == expected)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await estimator.estimate(of: photo, options: .unrefined)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
