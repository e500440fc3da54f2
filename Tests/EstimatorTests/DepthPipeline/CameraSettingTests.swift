import DepthErrors
import DepthImages
import DepthPipeline
import MonocularDepth
import Testing

@Suite struct CameraSettingTests {
  private static func photo(exif: Double?) -> Image {
    Image(
      height: 30, width: 40, pixels: [UInt8](repeating: 9, count: 3600),
      metadata: ImageMetadata(focalLengthIn35mmFilm: exif))
  }

  @Test func whatIsSaidOfTheCameraDecides() throws {
    let (bare, tagged) = (Self.photo(exif: nil), Self.photo(exif: 26))
    func camera(_ setting: CameraSetting, of photo: Image) throws -> Camera? {
      try setting.camera(of: photo, named: "a.jpg", training: .kinect)
    }
    #expect(try camera(.unsaid, of: tagged) == nil)
    #expect(try camera(.uncorrected, of: tagged) == .training(width: 40, height: 30))
    #expect(try camera(.focalLength(.pixels(50)), of: tagged)?.focalLength == 50)
    // Exif by name is Exif, and its absence is a failure then.
    #expect(try camera(.focalLength(.photo), of: tagged) == nil)
    let error = try #require(throws: DepthError.self) {
      try camera(.focalLength(.photo), of: bare)
    }
    #expect(error.file == "a.jpg")
  }

  /// A factor beyond 1/3 … 3 is named with where it comes from; 28.1 mm is the training camera's.
  @Test func unusualFactorsAreNamed() throws {
    func note(_ setting: CameraSetting, exif: Double?, isExact: Bool = false) throws -> String? {
      var photo = Self.photo(exif: exif)
      photo.metadata.focalLengthIsExact = isExact
      let given = try setting.camera(of: photo, named: "a.jpg", training: .kinect)
      return setting.unusualFocalLength(of: PhotoCamera(of: photo, camera: given))
    }
    let (fov, length) = (
      CameraSetting.focalLength(.fieldOfView(10)), CameraSetting.focalLength(.equivalent35mm(200))
    )
    for (setting, exif, isExact, words) in [
      (.unsaid, 218.5, true, "218.5 mm (35 mm equivalent, by Exif, FocalPlaneXResolution)"),
      (.unsaid, 400, false, "400.0 mm (35 mm equivalent, by Exif, FocalLengthIn35mmFilm)"),
      (.focalLength(.photo), 9, true, "multiplies depth by 0.32;"),
      (fov, 26, false, "by --fov) multiplies depth by 7.05;"),
      (length, nil, false, "200.0 mm (35 mm equivalent, by --focal-length)"),
    ] as [(CameraSetting, Double?, Bool, String)] {
      let found = try #require(try note(setting, exif: exif, isExact: isExact))
      #expect(found.contains(words), "\(found)")
    }
    for exif in [9.5, 28, 84] { #expect(try note(.unsaid, exif: exif, isExact: true) == nil) }
    #expect(try note(.unsaid, exif: nil) == nil)
    #expect(try note(.uncorrected, exif: 400) == nil)
  }
}
