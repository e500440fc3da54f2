import DepthImages
import Foundation
import Testing
import _TestSupport

@testable import MonocularDepth

@Suite struct PhotoCameraTests {
  private func photo(_ width: Int, _ height: Int, equivalent: Double? = nil) -> Image {
    var photo = MadeUpPictures.photo(height: height, width: width)
    photo.metadata.focalLengthIn35mmFilm = equivalent
    return photo
  }

  @Test("the depth of an unknown camera is not corrected") func unknownCamerasAreNotCorrected() {
    let camera = PhotoCamera(of: photo(64, 48))
    #expect(camera.source == .assumed && camera.depthFactor == 1)
    // An implausible Exif block is ignored.
    #expect(PhotoCamera(of: photo(64, 48, equivalent: 65_535)).source == .assumed)
  }

  /// A Kinect has 28.1 mm, or 29.2 mm measured along the width. Neither changes depth.
  @Test("a training camera's focal length in Exif changes no depth", arguments: [27.0, 28, 29])
  func theTrainingCameraInExifIsNotCorrected(equivalent: Double) {
    #expect(PhotoCamera(of: photo(640, 480, equivalent: equivalent)).depthFactor == 1)
    #expect(PhotoCamera(of: photo(480, 640, equivalent: equivalent)).depthFactor == 1)
  }

  /// A focal length from the sensor's resolution is not rounded to millimetres.
  @Test("an exact focal length is applied in full", arguments: [0.98, 1.03, 2])
  func exactFocalLengthsCountInFull(ratio: Double) {
    var exact = photo(640, 480, equivalent: ratio * 519.16 / 800 * 43.266615)
    exact.metadata.focalLengthIsExact = true
    let camera = PhotoCamera(of: exact)
    #expect(camera.source == .exif && abs(Double(camera.depthFactor) - ratio) < 1e-6)
    // The caller's focal length overrides the exact focal length.
    let given = Camera(width: 640, height: 480, focalLength: 519.16)
    #expect(
      PhotoCamera(of: exact, camera: given) == PhotoCamera(of: photo(640, 480), camera: given))
  }

  /// Whole millimetres beside a Kinect's 28.1, and 4 % around the caller's focal length.
  @Test("a camera within 4 % counts as the training camera")
  func camerasWithinFourPercentAreTheTrainingCamera() {
    #expect(PhotoCamera(of: photo(640, 480)).isTrainingCamera == nil)
    for (millimetres, isIt) in [(26.0, false), (27, true), (28, true), (29, true), (30, false)] {
      let camera = PhotoCamera(of: photo(640, 480, equivalent: millimetres))
      #expect(camera.isTrainingCamera == isIt, "\(millimetres)")
    }
    for (ratio, isIt) in [(0.95, false), (0.97, true), (1.03, true), (1.05, false)] {
      let given = Camera(width: 640, height: 480, focalLength: ratio * 519.16)
      #expect(PhotoCamera(of: photo(640, 480), camera: given).isTrainingCamera == isIt, "\(ratio)")
    }
  }

  @Test("depth grows with the focal length") func depthGrowsWithTheFocalLength() {
    // 519.16 pixels for 640 × 480 are 28.08 mm.
    let kinect = 519.16 / 800 * 43.266615
    for ratio in [0.5, 0.8, 1.5, 2, 4] {
      let factor = Double(PhotoCamera(of: photo(64, 48, equivalent: ratio * kinect)).depthFactor)
      #expect(abs(log(factor / ratio)) < 0.04 + 1e-5)
      #expect((factor < 1) == (ratio < 1))
      let given = Camera(width: 64, height: 48, focalLength: ratio * 51.916)
      let exact = PhotoCamera(of: photo(64, 48), camera: given)
      #expect(exact.source == .given && abs(Double(exact.depthFactor) - ratio) < 1e-6)
    }
  }

  /// The ratio is first reduced by Exif's tolerance.
  @Test("the depth factor is a power of the ratio of focal lengths", arguments: [0, 0.5, 1])
  func exponentIsOfTheRatio(exponent: Double) {
    let training = TrainingCamera(sides: nil, focalExponent: exponent)
    let given = Camera(width: 64, height: 48, focalLength: 3 * 51.916)
    let camera = PhotoCamera(of: photo(64, 48), camera: given, training: training)
    #expect(abs(Double(camera.depthFactor) - pow(3, exponent)) < 1e-6)
    #expect(camera.focalExponent == exponent)
    let exif = photo(64, 48, equivalent: 3 * 519.16 / 800 * 43.266615)
    let known = PhotoCamera(of: exif, training: training)
    #expect(abs(log(Double(known.depthFactor)) - exponent * (log(3) - 0.04)) < 1e-6)
    #expect(PhotoCamera(of: photo(64, 48), training: training).depthFactor == 1)
  }

  /// The network sees every photo at one size, so the mean of both angles is decisive.
  @Test("horizontal and vertical angles have equal weight") func proportionsCount() {
    let wide = Camera(width: 640, height: 360, focalLength: 519.16)
    #expect(
      abs(PhotoCamera(of: photo(64, 36), camera: wide).depthFactor - Float(4.0 / 3).squareRoot())
        < 1e-5)
  }

  @Test("an estimate is scaled for its camera and states the camera")
  func estimatesAreScaledAndSayTheirCamera() throws {
    let estimator = try DepthEstimator(WeightsSelection(named: ["default"]))
    let plain = try estimator.estimate(of: photo(64, 48), options: .unrefined)
    let doubled = try estimator.estimate(
      of: photo(64, 48),
      options: DepthOptions(
        camera: .given(Camera(width: 64, height: 48, focalLength: 2 * 51.916)), refinement: .none))
    let factor = Float(pow(2, doubled.camera.focalExponent))
    #expect(doubled.depth.values == plain.depth.values.map { $0 * factor })
    #expect(doubled.camera.source == .given && plain.camera.source == .assumed)
    let exif = photo(64, 48, equivalent: 56)
    let training = Camera.training(width: 64, height: 48)
    #expect(
      try estimator.depth(
        of: exif, options: DepthOptions(camera: .given(training), refinement: .none)) == plain.depth
    )
    #expect(try estimator.depth(of: exif, options: .unrefined) != plain.depth)
  }

  /// The training camera is measured along the longer side.
  @Test("upright and wide photos get equal corrections")
  func uprightPhotosAreCorrectedAsThoseAcross() {
    let training = TrainingCamera(sides: 1.2, focalExponent: 1)
    for (width, height) in [(64, 48), (48, 64)] {
      let own = Camera(width: width, height: height, focalLength: 1.2 * 64)
      let given = PhotoCamera(of: photo(width, height), camera: own, training: training)
      #expect(abs(given.depthFactor - 1) < 1e-6, "\(width)×\(height)")
      let assumed = PhotoCamera(of: photo(width, height), training: training)
      #expect(abs(assumed.camera.focalLength - 1.2 * 64) < 1e-9, "\(width)×\(height)")
    }
  }
}
