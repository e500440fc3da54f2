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
    #expect(try CameraSetting.unsaid.camera(of: tagged, training: .kinect) == nil)
    #expect(
      try CameraSetting.uncorrected.camera(of: tagged, training: .kinect)
        == .training(width: 40, height: 30))
    #expect(
      try CameraSetting.focalLength(.pixels(50)).camera(of: tagged, training: .kinect)?.focalLength
        == 50)
    // Exif by name is Exif, and its absence is a failure then.
    #expect(try CameraSetting.focalLength(.photo).camera(of: tagged, training: .kinect) == nil)
    #expect(throws: DepthError.self) {
      try CameraSetting.focalLength(.photo).camera(of: bare, training: .kinect)
    }
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
