import DepthErrors
import DepthImages
import Foundation
import Testing
import _TestSupport

@testable import MonocularDepth

/// Estimators that fit relative maps to the maps of metric weights.
@Suite struct YardstickTests {
  private let photo = testImage(height: 48, width: 64)

  private struct Networks {
    let folder: TemporaryFolder
    let relative: WeightsSelection
    let metric: WeightsSelection

    init() throws {
      folder = try TemporaryFolder()
      relative = WeightsSelection(
        files: [try DepthAnythingEstimateTests.weights(in: folder, largest: nil)], inputSize: 252)
      let weights = GeneratedWeights.lite2()
      try writeHDF5(weights, attributes: weights.attributes, to: folder.path("metric.h5"))
      metric = .file(folder.url("metric.h5"))
    }

    func estimator(metres: WeightsSelection?) throws -> DepthEstimator {
      try DepthEstimator(relative, metres: metres, threads: 2)
    }
  }

  /// The expected fit is computed from the maps of the two networks.
  @Test("a relative map is fitted to the metric map") func mapsAreFittedToTheMetricOnes() throws {
    let networks = try Networks()
    let estimator = try networks.estimator(metres: networks.metric)
    #expect(estimator.unit == .metres)
    let relative = try networks.estimator(metres: nil).estimate(of: photo, options: .unrefined)
    #expect(relative.metricFit == nil)
    let metric = try DepthEstimator(networks.metric, threads: 2)
      .estimate(of: photo, options: .unrefined)
    let comparison = try MetricComparison(
      relative.networkMap, to: metric.networkMap, errors: metric.expectedError, widening: 1.1,
      within: 0.1...10)
    let fit = comparison.fit(to: comparison.scale)
    let estimate = try estimator.estimate(of: photo, options: .unrefined)
    #expect(estimate.metricFit == fit)
    #expect(estimate.depth == comparison.metres(by: fit) && estimate.networkMap == estimate.depth)
    #expect(estimate.uncertainty == nil && estimate.expectedError == nil)
    #expect(try estimator.using(threads: 1).depth(of: photo, options: .unrefined) == estimate.depth)
    let refined = try estimator.depth(of: photo)
    #expect(refined.unit == .metres && (refined.height, refined.width) == (48, 64))
  }

  @Test("the yardstick's focal length scales the metres") func theFocalLengthScalesMetres() throws {
    let networks = try Networks()
    let estimator = try networks.estimator(metres: networks.metric)
    let tele = Camera(width: 64, height: 48, focalLength: 104)
    var options = DepthOptions(camera: .uncorrected, refinement: .none)
    options.relativeDepth = .metres(isBounded: false)
    let plain = try estimator.estimate(of: photo, options: options)
    options.camera = .given(tele)
    let near = try estimator.estimate(of: photo, options: options)
    #expect(near.camera.depthFactor > 1.9)
    expectClose(
      near.depth.values, plain.depth.values.map { $0 * near.camera.depthFactor }, absolute: 0,
      relative: 1e-4)
  }

  @Test("a map stays relative if metres are not needed") func relativeMapsStay() throws {
    let networks = try Networks()
    let fitting = try networks.estimator(metres: networks.metric)
    let relative = try networks.estimator(metres: nil)
    var options = DepthOptions.unrefined
    options.relativeDepth = .relative
    #expect(fitting.unit(options) == .relativeDisparity)
    #expect(
      try fitting.estimate(of: photo, options: options).depth
        == relative.depth(of: photo, options: .unrefined))
    // A calibration by known points replaces the fit.
    var calibration = DepthCalibration(scale: 1, shift: 1)
    calibration.mapUnit = .relativeDisparity
    options = DepthOptions(refinement: .none, calibration: calibration)
    #expect(
      try fitting.depth(of: photo, options: options)
        == relative.depth(of: photo, options: options))
    // A calibration of metres corrects fitted metres.
    let fitted = try fitting.depth(of: photo, options: .unrefined)
    options.calibration = DepthCalibration(scale: 0.5, shift: 0)
    expectClose(
      try fitting.depth(of: photo, options: options).values, fitted.values.map { $0 * 2 },
      absolute: 0, relative: 1e-6)
  }

  @Test("the identifier names both networks") func identifiersNameBothNetworks() throws {
    let networks = try Networks()
    let (relative, metric) = (
      try networks.estimator(metres: nil).weightsIdentifier(),
      try DepthEstimator(networks.metric).weightsIdentifier()
    )
    #expect(
      try networks.estimator(metres: networks.metric).weightsIdentifier()
        == "\(relative)+metres-\(metric)")
  }

  @Test("relative weights are fitted only to weights in metres")
  func onlyRelativeWeightsAreFitted() throws {
    let networks = try Networks()
    let missing = WeightsSelection.file(networks.folder.url("missing.h5"))
    #expect(try DepthEstimator(networks.metric, metres: missing).metresName == nil)
    #expect(try networks.estimator(metres: networks.metric).metresName == "metric.h5")
    #expect(throws: DepthError.self) { try networks.estimator(metres: missing) }
    let error = try #require(throws: DepthError.self) {
      try networks.estimator(metres: networks.relative)
    }
    #expect(error.code == .weightsMismatch)
    #expect(error.message.contains("expected weights in metres"))
  }

  /// Confidence would come from the relative network, which predicts no errors.
  @Test("confidence of fitted metres is refused") func confidenceIsRefused() throws {
    let networks = try Networks()
    let estimator = try networks.estimator(metres: networks.metric)
    let error = try #require(throws: DepthError.self) {
      try estimator.depth(of: photo, options: DepthOptions(minConfidence: 0.5))
    }
    #expect(error.code == .invalidArgument)
  }
}
