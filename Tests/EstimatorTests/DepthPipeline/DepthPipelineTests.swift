import DepthBase
import DepthErrors
import DepthImages
import DepthRefinement
import MonocularDepth
import Testing

@testable import DepthPipeline

/// A photo becomes the same map as by its steps, and every failure names the photo.
@Suite struct DepthPipelineTests {
  private static let estimator = Result { try DepthEstimator(threads: 1) }
  private static let photo = Image(
    height: 60, width: 80,
    pixels: [UInt8](repeating: 120, count: 7200) + [UInt8](repeating: 40, count: 7200))
  private static let call = CallContext(threads: 1)

  @Test func theMapIsTheEstimateRefinedAndThenCalibrated() throws {
    let estimator = try Self.estimator.get()
    var calibration = DepthCalibration(scale: 0.5, shift: 0.01)
    calibration.record(PhotoCamera(of: Self.photo, camera: nil).camera)
    var stages: [DepthPipeline.Stage] = []
    let made = try DepthPipeline(estimator, calibration: calibration)
      .map(of: Self.photo, named: "a.jpg", call: Self.call) { stages.append($0) }
    let estimate = try estimator.estimate(of: Self.photo)
    #expect(stages == [.estimating, .refining])
    #expect(made.estimate == estimate)
    #expect(
      try made.depth == estimate.depth.refined(guidedBy: Self.photo).calibrated(by: calibration))
  }

  @Test func aCalibrationOfAnotherCameraIsRefused() throws {
    var calibration = DepthCalibration(scale: 1, shift: 0)
    calibration.record(Camera(width: 80, height: 60, focalLength: 200))
    let error = #expect(throws: DepthError.self) {
      try DepthPipeline(Self.estimator.get(), calibration: calibration)
        .map(of: Self.photo, named: "a.jpg", call: Self.call)
    }
    #expect(error?.file == "a.jpg" && error?.message.contains("times that of") == true)
  }

  @Test func mapsWithoutValuesAreRefusedByName() throws {
    let empty = DepthMap(
      height: 6, width: 8, unit: .metres, values: [Float](repeating: 0, count: 48))
    let error = #expect(throws: DepthError.self) {
      try DepthPipeline(Self.estimator.get()).finished(
        empty, errors: nil, guidedBy: Self.photo, camera: nil, named: "a.jpg", call: Self.call)
    }
    #expect(error?.code == .noDepth)
    #expect(error?.description == "a.jpg: no pixel of its depth map has a value")
  }

  /// What ends a photo is a frame without values in a film.
  @Test func mapsBeyondInfinityAreEmptyWhereTheyMayBe() throws {
    let pipeline = DepthPipeline(
      try Self.estimator.get(), calibration: DepthCalibration(scale: 1, shift: -50))
    let map = DepthMap(
      height: 6, width: 8, unit: .metres, values: [Float](repeating: 2, count: 48))
    func finished(mayBeEmpty: Bool) throws -> DepthMap {
      try pipeline.finished(
        map, errors: nil, guidedBy: Self.photo, camera: nil, named: "a.jpg",
        mayBeEmpty: mayBeEmpty, call: Self.call)
    }
    let error = #expect(throws: DepthError.self) { try finished(mayBeEmpty: false) }
    #expect(error?.code == .noDepth && error?.file == "a.jpg")
    let empty = try finished(mayBeEmpty: true)
    #expect((empty.height, empty.width, empty.unit) == (60, 80, .metres))
    #expect(empty.values.allSatisfy { $0 == 0 })
  }

  @Test func photosWithoutTheFocalLengthThatWasNamedAreRefusedByName() throws {
    let error = #expect(throws: DepthError.self) {
      try DepthPipeline(Self.estimator.get(), camera: .focalLength(.photo))
        .map(of: Self.photo, named: "a.jpg", call: Self.call)
    }
    #expect(error?.file == "a.jpg")
  }

  /// Memory is reserved for a map of this size.
  @Test func theSizeOfTheNetworksMapIsKnownBeforehand() throws {
    let estimator = try Self.estimator.get()
    let depth = try estimator.depth(of: Self.photo)
    #expect(estimator.outputSize == (depth.height, depth.width))
  }
}
