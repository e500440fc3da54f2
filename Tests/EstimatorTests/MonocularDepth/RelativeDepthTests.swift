import DepthErrors
import DepthImages
import Foundation
import Testing
import _TestSupport

@testable import MonocularDepth

/// Weights of relative disparity: maps whose unit says so, and nothing that takes them for metres.
@Suite struct RelativeDepthTests {
  private let photo = testImage(height: 48, width: 64)

  private func estimator(
    _ folder: TemporaryFolder, mirrored: Bool = false, precision: Precision = .float32
  ) throws -> DepthEstimator {
    let file = try DepthAnythingEstimateTests.weights(in: folder, largest: nil)
    return try DepthEstimator(
      WeightsSelection(files: [file], averagesMirrored: mirrored, inputSize: 252), threads: 2,
      precision: precision)
  }

  @Test func mapsSayThatTheyAreRelative() throws {
    let folder = try TemporaryFolder()
    let estimator = try estimator(folder)
    #expect(estimator.unit == .relativeDisparity)
    let estimate = try estimator.estimate(of: photo)
    #expect(estimate.depth.unit == .relativeDisparity)
    #expect(estimate.uncertainty == nil && estimate.spread == nil)
    // A map worth the name, whose farthest points, 0, count.
    let range = try #require(estimate.depth.range)
    #expect(range.low >= 0 && range.high > range.low)
    #expect(estimate.depth.values.allSatisfy(estimate.depth.hasValue))
    for _ in 0..<2 {
      let error = try #require(throws: DepthError.self) { try estimate.depth.inMetres }
      #expect(error.code == .unknownUnit && error.message.contains("a calibration by known points"))
    }
    #expect(throws: DepthError.self) { try estimate.depth.inDisparity }
    #expect(try estimator.using(threads: 3).depth(of: photo) == estimate.depth)
    #expect(try estimator.depths(of: [photo, photo]) == [estimate.depth, estimate.depth])
  }

  /// A scale that nobody knows has no focal length.
  @Test func theFocalLengthChangesNothing() throws {
    let folder = try TemporaryFolder()
    let estimator = try estimator(folder)
    let tele = Camera(width: 64, height: 48, focalLength: 640)
    #expect(try estimator.depth(of: photo, camera: tele) == estimator.depth(of: photo))
  }

  @Test func theMirrorImageCountsHalf() throws {
    let folder = try TemporaryFolder()
    let plain = try estimator(folder).depth(of: photo)
    let mirrored = try estimator(folder, mirrored: true).estimate(of: photo)
    #expect(mirrored.depth.unit == .relativeDisparity && mirrored.spread == nil)
    let turned = try estimator(folder).depth(of: photo.mirrored).mirrored
    #expect(
      mirrored.depth.values == zip(plain.values, turned.values).map { ($0 + $1) / 2 })
  }

  @Test func integersComeNear() throws {
    let folder = try TemporaryFolder()
    let exact = try estimator(folder).depth(of: photo)
    let depth = try estimator(folder, precision: .int8).depth(of: photo)
    #expect(depth.unit == .relativeDisparity && depth != exact)
    let range = try #require(exact.range)
    let sum = zip(depth.values, exact.values).reduce(0.0) { $0 + Double(abs($1.0 - $1.1)) }
    #expect(sum / Double(depth.values.count) < 0.03 * Double(range.high - range.low))
  }

  /// Bare floats cannot say what they are.
  @Test func aBufferOfTheCallerIsRefused() throws {
    let folder = try TemporaryFolder()
    let estimator = try estimator(folder)
    var values = [Float](repeating: -1, count: 252 * 336)
    let error = try #require(throws: DepthError.self) {
      var span = values.mutableSpan
      try estimator.depth(of: photo, into: &span)
    }
    #expect(error.code == .unknownUnit)
    #expect(values.allSatisfy { $0 == -1 })
  }

  @Test func scalesOfTheirOwnMakeNoCommonEstimate() throws {
    let folder = try TemporaryFolder()
    let files = try [nil, 20].map {
      try DepthAnythingEstimateTests.weights(in: folder, largest: $0)
    }
    for pair in [[files[0], files[1]], [files[1], files[0]], [files[0], files[0]]] {
      let error = try #require(throws: DepthError.self) { try DepthEstimator(weights: pair) }
      #expect(error.code == .weightsMismatch)
      #expect("\(error)".contains("weights-0.0") && error.message.contains("use it alone"))
    }
    #expect(try WeightsReport(files[0]).output.hasPrefix("relative disparity"))
    #expect(try WeightsReport.verify(files[0]).output.hasPrefix("relative disparity"))
  }
}
