import DepthErrors
import DepthImages
import DepthPipeline
import MonocularDepth
import Testing
import _TestSupport

@Suite(.offPool) struct CameraSettingTests {
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

  @Test func wordsNameTheCamera() {
    let settings: [(CameraSetting, String)] = [
      (.unsaid, "focal-length=exif"), (.focalLength(.photo), "focal-length=exif"),
      (.uncorrected, "focal-length=none"), (.focalLength(.pixels(525)), "focal-length=525.0px"),
      (.focalLength(.equivalent35mm(26)), "focal-length=26.0mm"),
      (.focalLength(.fieldOfView(70)), "fov=70.0"),
    ]
    for (setting, word) in settings { #expect(setting.words == [word]) }
  }
}
