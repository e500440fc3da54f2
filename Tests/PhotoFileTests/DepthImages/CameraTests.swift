import DepthErrors
import DepthImages
import Testing

@Suite struct CameraTests {
  private func photo(_ width: Int, _ height: Int, equivalent: Double? = nil) -> Image {
    Image(
      height: height, width: width, pixels: [UInt8](repeating: 9, count: height * width * 3),
      metadata: ImageMetadata(focalLengthIn35mmFilm: equivalent))
  }

  /// On 36 × 24 mm film, millimetres / 36 equals the focal length in pixels / the photo's width.
  @Test("a 35 mm equivalent refers to the diagonal of film")
  func equivalentFocalLengthsReferToTheDiagonalOfFilm() throws {
    let photo = photo(360, 240, equivalent: 50)
    #expect(try Camera(of: photo, focalLength: .equivalent35mm(50)).focalLength == 500)
    #expect(try Camera(of: photo).focalLength == 500)
    // A 3:4 sensor with film's diagonal is 4 % narrower than film, so 26 mm is a larger share.
    let phone = try Camera(of: self.photo(300, 400), focalLength: .equivalent35mm(26))
    #expect(abs(phone.focalLength - 26 * 500 / 43.266615) < 1e-4)
  }

  @Test("field of view is along the longer side") func fieldOfViewIsAlongTheLongerSide() throws {
    for photo in [photo(400, 300), photo(300, 400)] {
      let camera = try Camera(of: photo, focalLength: .fieldOfView(90))
      #expect(abs(camera.focalLength - 200) < 1e-9)
      #expect(abs(camera.fieldOfView - 90) < 1e-9)
    }
  }

  @Test(
    "an impossible or unknown focal length is an invalid argument",
    arguments: [
      Camera.FocalLength.pixels(0), .pixels(-3), .pixels(.nan), .pixels(1e9), .equivalent35mm(0),
      .equivalent35mm(.infinity), .fieldOfView(0.5), .fieldOfView(180), .fieldOfView(.nan), .photo,
    ])
  func impossibleLensesAreRefused(focalLength: Camera.FocalLength) {
    let error = #expect(throws: DepthError.self) {
      try Camera(of: photo(40, 30), focalLength: focalLength)
    }
    #expect(error?.code == .invalidArgument)
  }
}
