import DepthErrors
import DepthImages
import Foundation
import Testing
import _TestSupport

@testable import MonocularDepth

/// Maps of relative weights state their unit. No call reads them as metres.
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

  @Test("a relative map cannot be read as metres") func mapsSayThatTheyAreRelative() throws {
    let folder = try TemporaryFolder()
    let estimator = try estimator(folder)
    #expect(estimator.unit == .relativeDisparity)
    let estimate = try estimator.estimate(of: photo, options: .unrefined)
    #expect(estimate.depth.unit == .relativeDisparity)
    #expect(estimate.uncertainty == nil && estimate.spread == nil)
    // The map is usable, and 0 is the value of the farthest points.
    let range = try #require(estimate.depth.range())
    #expect(range.low >= 0 && range.high > range.low)
    #expect(estimate.depth.values.allSatisfy(estimate.depth.hasValue))
    for _ in 0..<2 {
      let error = try #require(throws: DepthError.self) { try estimate.depth.inMetres() }
      #expect(error.code == .unknownUnit && error.message.contains("a calibration to known points"))
    }
    #expect(throws: DepthError.self) { try estimate.depth.inDisparity() }
    #expect(try estimator.using(threads: 3).depth(of: photo, options: .unrefined) == estimate.depth)
  }

  @Test("relative disparity ignores the focal length") func theFocalLengthChangesNothing() throws {
    let folder = try TemporaryFolder()
    let estimator = try estimator(folder)
    let tele = Camera(width: 64, height: 48, focalLength: 640)
    #expect(
      try estimator.depth(of: photo, options: DepthOptions(camera: .given(tele), refinement: .none))
        == estimator.depth(of: photo, options: .unrefined))
  }

  @Test("a relative map averages photo and mirror image") func theMirrorImageCountsHalf() throws {
    let folder = try TemporaryFolder()
    let plain = try estimator(folder).depth(of: photo, options: .unrefined)
    let mirrored = try estimator(folder, mirrored: true).estimate(of: photo, options: .unrefined)
    #expect(mirrored.depth.unit == .relativeDisparity && mirrored.spread == nil)
    let turned = try estimator(folder).depth(of: photo.mirrored, options: .unrefined).mirrored
    #expect(
      mirrored.depth.values == zip(plain.values, turned.values).map { ($0 + $1) / 2 })
  }

  @Test("relative int8 maps are within 3 % of range on average") func integersComeNear() throws {
    let folder = try TemporaryFolder()
    let exact = try estimator(folder).depth(of: photo, options: .unrefined)
    let depth = try estimator(folder, precision: .int8).depth(of: photo, options: .unrefined)
    #expect(depth.unit == .relativeDisparity && depth != exact)
    let range = try #require(exact.range())
    let sum = zip(depth.values, exact.values).reduce(0.0) { $0 + Double(abs($1.0 - $1.1)) }
    #expect(sum / Double(depth.values.count) < 0.03 * Double(range.high - range.low))
  }

  @Test("only a relative calibration converts a relative map to metres")
  func finishedMapsAreInMetresWithACalibration() throws {
    let folder = try TemporaryFolder()
    let estimator = try estimator(folder)
    #expect(try estimator.depth(of: photo).unit == .relativeDisparity)
    var options = DepthOptions(calibration: DepthCalibration(scale: 1, shift: 1))
    let error = try #require(throws: DepthError.self) {
      try estimator.depth(of: photo, options: options)
    }
    #expect(error.code == .unknownUnit)
    options.calibration?.mapUnit = .relativeDisparity
    let estimate = try estimator.estimate(of: photo, options: options)
    #expect(estimate.depth.unit == .metres && estimate.networkMap.unit == .relativeDisparity)
  }

  @Test("relative weights are not combined") func relativeWeightsAreNotCombined() throws {
    let folder = try TemporaryFolder()
    let files = try [nil, 20].map {
      try DepthAnythingEstimateTests.weights(in: folder, largest: $0)
    }
    for pair in [[files[0], files[1]], [files[1], files[0]], [files[0], files[0]]] {
      let error = try #require(throws: DepthError.self) { try DepthEstimator(.files(pair)) }
      #expect(error.code == .weightsMismatch)
      #expect("\(error)".contains("weights-0.0") && error.message.contains("use it alone"))
    }
    #expect(try WeightsReport(files[0]).output.hasPrefix("relative disparity"))
    #expect(try WeightsReport.verify(files[0]).output.hasPrefix("relative disparity"))
  }
}
