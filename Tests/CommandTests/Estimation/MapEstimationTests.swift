import DepthErrors
import DepthImages
import MonocularDepth
import Testing

@testable import DepthCommands

@Suite struct MapEstimationTests {
  private static func photo(exif: Double?) -> Image {
    Image(
      height: 30, width: 40, pixels: [UInt8](repeating: 9, count: 3600),
      metadata: ImageMetadata(focalLengthIn35mmFilm: exif))
  }

  @Test("the chosen camera is used") func theChosenCameraIsUsed() throws {
    let (bare, tagged) = (Self.photo(exif: nil), Self.photo(exif: 26))
    func camera(
      _ choice: DepthOptions.CameraChoice, of photo: Image
    ) throws -> PhotoCamera {
      try PhotoCamera(of: photo, choice, training: .kinect)
    }
    #expect(try camera(.automatic, of: tagged) == PhotoCamera(of: tagged))
    #expect(try camera(.automatic, of: tagged).source == .exif)
    let uncorrected = try camera(.uncorrected, of: tagged)
    #expect(uncorrected.camera == .training(width: 40, height: 30))
    #expect(uncorrected.source == .assumed && uncorrected.depthFactor == 1)
    let given = try camera(.focalLength(.pixels(50)), of: tagged)
    #expect(given.camera.focalLength == 50 && given.source == .given)
    let own = Camera(width: 40, height: 30, focalLength: 60)
    #expect(try camera(.given(own), of: tagged) == PhotoCamera(of: tagged, camera: own))
    // If Exif is required, a photo without Exif is a failure.
    #expect(try camera(.focalLength(.photo), of: tagged) == PhotoCamera(of: tagged))
    let error = try #require(throws: DepthError.self) {
      try camera(.focalLength(.photo), of: bare)
    }
    #expect(error == .focalLengthUnknown)
  }

  /// Factors outside 1/3 … 3 are unusual. The training camera has 28.1 mm.
  @Test("an unusual focal length is named with its source") func unusualFactorsAreNamed() throws {
    func note(_ setting: DepthOptions.CameraChoice, exif: Double?, isExact: Bool = false) throws
      -> String?
    {
      var photo = Self.photo(exif: exif)
      photo.metadata.focalLengthIsExact = isExact
      return setting.unusualFocalLength(
        of: try PhotoCamera(of: photo, setting, training: .kinect))
    }
    let (fov, length) = (
      DepthOptions.CameraChoice.focalLength(.fieldOfView(10)),
      DepthOptions.CameraChoice.focalLength(.equivalent35mm(200))
    )
    for (setting, exif, isExact, words) in [
      (.automatic, 218.5, true, "218.5 mm (35 mm equivalent, by Exif, FocalPlaneXResolution)"),
      (.automatic, 400, false, "400.0 mm (35 mm equivalent, by Exif, FocalLengthIn35mmFilm)"),
      (.focalLength(.photo), 9, true, "multiplies depth by 0.32;"),
      (fov, 26, false, "by --fov) multiplies depth by 7.05;"),
      (length, nil, false, "200.0 mm (35 mm equivalent, by --focal-length)"),
    ] as [(DepthOptions.CameraChoice, Double?, Bool, String)] {
      let found = try #require(try note(setting, exif: exif, isExact: isExact))
      #expect(found.contains(words), "\(found)")
    }
    for exif in [9.5, 28, 84] { #expect(try note(.automatic, exif: exif, isExact: true) == nil) }
    #expect(try note(.automatic, exif: nil) == nil)
    #expect(try note(.uncorrected, exif: 400) == nil)
  }
}
