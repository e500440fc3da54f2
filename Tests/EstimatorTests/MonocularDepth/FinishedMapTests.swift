import DepthBase
import DepthErrors
import DepthImages
import DepthRefinement
import Testing

@testable import MonocularDepth

/// A finished map equals its separate steps. Every failure names the photo.
@Suite struct FinishedMapTests {
  private static let estimator = Result { try DepthEstimator(threads: 1) }
  private static let photo = Image(
    height: 60, width: 80,
    pixels: [UInt8](repeating: 120, count: 7200) + [UInt8](repeating: 40, count: 7200))
  private static let call = CallContext(threads: 1)

  @Test("a map is estimated, refined and calibrated in this order")
  func theMapIsTheEstimateRefinedAndThenCalibrated() throws {
    let estimator = try Self.estimator.get()
    var calibration = DepthCalibration(scale: 0.5, shift: 0.01)
    calibration.record(PhotoCamera(of: Self.photo, camera: nil).camera)
    let options = DepthOptions(calibration: calibration)
    var steps: [DepthEstimator.Step] = []
    let made = try estimator.estimate(
      of: Self.photo, options: options, named: "a.jpg", call: Self.call
    ) { steps.append($0) }
    #expect(steps == [.resizing, .estimating, .refining])
    #expect(
      try made.depth
        == made.networkMap.refined(guidedBy: Self.photo).calibrated(by: calibration))
    let network = try estimator.estimate(of: Self.photo, options: .unrefined)
    #expect(network.depth == network.networkMap && network.networkMap == made.networkMap)
    // The public calls for one photo and for several photos.
    #expect(try estimator.estimate(of: Self.photo, options: options) == made)
    #expect(try estimator.depth(of: Self.photo, options: options) == made.depth)
  }

  @Test("without options, a map is refined to the photo's size")
  func theCallWithoutOptionsRefinesToThePhotosSize() throws {
    let made = try Self.estimator.get().estimate(of: Self.photo)
    #expect((made.depth.height, made.depth.width) == (Self.photo.height, Self.photo.width))
    #expect(try made.depth == made.networkMap.refined(guidedBy: Self.photo))
  }

  @Test("pixels of low confidence are left out")
  func pixelsOfLittleConfidenceAreLeftOutAndReportedIfAllAre() throws {
    let estimator = try Self.estimator.get()
    let errors = try #require(try estimator.estimate(of: Self.photo).expectedError)
    let middle = errors.confidence.sorted()[errors.confidence.count / 2]
    var options = DepthOptions(refinement: .none, minConfidence: middle)
    let depth = try estimator.depth(of: Self.photo, options: options)
    #expect(depth.values.map(depth.hasValue) == errors.confidence.map { $0 >= middle })
    options.minConfidence = 1
    let error = #expect(throws: DepthError.self) {
      try estimator.depth(of: Self.photo, options: options)
    }
    #expect(error?.code == .noDepth)
    for share in [85, -0.1, .nan] as [Float] {
      options.minConfidence = share
      let error = #expect(throws: DepthError.self) {
        try estimator.depth(of: Self.photo, options: options)
      }
      #expect(error?.code == .invalidArgument && error?.message.contains("0 to 1") == true)
    }
  }

  @Test("a calibration for another camera is refused with the photo's name")
  func aCalibrationOfAnotherCameraIsRefused() throws {
    var calibration = DepthCalibration(scale: 1, shift: 0)
    calibration.record(Camera(width: 80, height: 60, focalLength: 200))
    let error = #expect(throws: DepthError.self) {
      try Self.estimator.get().estimate(
        of: Self.photo, options: DepthOptions(calibration: calibration), named: "a.jpg",
        call: Self.call)
    }
    #expect(error?.file == "a.jpg" && error?.message.contains("times that of") == true)
  }

  @Test("a map without values is refused by name") func mapsWithoutValuesAreRefusedByName() throws {
    let empty = DepthMap(
      height: 6, width: 8, unit: .metres, values: [Float](repeating: 0, count: 48))
    let error = #expect(throws: DepthError.self) {
      try Self.estimator.get().finished(
        empty, errors: nil, guidedBy: Self.photo, camera: nil, options: DepthOptions(),
        named: "a.jpg", call: Self.call)
    }
    #expect(error?.code == .noDepth)
    #expect(error?.description == "a.jpg: no pixel of its depth map has a value")
  }

  @Test("a map beyond infinity fails a photo, but not a film")
  func mapsBeyondInfinityAreEmptyWhereTheyMayBe() throws {
    let options = DepthOptions(calibration: DepthCalibration(scale: 1, shift: -50))
    let map = DepthMap(
      height: 6, width: 8, unit: .metres, values: [Float](repeating: 2, count: 48))
    func finished(mayBeEmpty: Bool) throws -> DepthMap {
      try Self.estimator.get().finished(
        map, errors: nil, guidedBy: Self.photo, camera: nil, options: options, named: "a.jpg",
        mayBeEmpty: mayBeEmpty, call: Self.call)
    }
    let error = #expect(throws: DepthError.self) { try finished(mayBeEmpty: false) }
    #expect(error?.code == .noDepth && error?.file == "a.jpg")
    let empty = try finished(mayBeEmpty: true)
    #expect((empty.height, empty.width, empty.unit) == (60, 80, .metres))
    #expect(empty.values.allSatisfy { $0 == 0 })
  }

  @Test("a photo without the requested focal length is refused by name")
  func photosWithoutTheFocalLengthThatWasNamedAreRefusedByName() throws {
    let error = #expect(throws: DepthError.self) {
      try Self.estimator.get().estimate(
        of: Self.photo, options: DepthOptions(camera: .focalLength(.photo)), named: "a.jpg",
        call: Self.call)
    }
    #expect(error?.file == "a.jpg")
  }

  /// The caller reserves memory for a map of this size.
  @Test("the size of the network's map is known before computation")
  func theSizeOfTheNetworksMapIsKnownBeforehand() throws {
    let estimator = try Self.estimator.get()
    let depth = try estimator.depth(of: Self.photo, options: .unrefined)
    #expect(estimator.outputSize == (depth.height, depth.width))
  }
}
