import DepthEffects
import PictureFiles
import Testing

@testable import DepthCommands

/// Requests from the names and values of addresses and forms.
@Suite struct RequestDecoderTests {
  @Test("values of a request reach their fields") func valuesReachTheirFields() throws {
    let request = try RequestDecoder.request(
      EffectRequest.self,
      from: [
        ("effect", "blur"), ("focus", "1.8m"), ("aperture", "f/1.8"), ("blades", "6"),
        ("rotation", "-30.5"), ("fov", "65"), ("quality", "80"), ("compression", "small"),
        ("strip-metadata", ""),
      ])
    #expect(request.effect == .blur)
    #expect(request.focus?.value == .metres(1.8))
    #expect(request.lens.aperture?.value == 1.8)
    #expect(request.lens.blades == 6 && request.lens.rotation == -30.5)
    #expect(request.camera.fov == 65)
    #expect(request.picture.quality == 80 && request.picture.compression == .small)
    #expect(request.picture.stripMetadata && !request.picture.keepLocation)
  }

  @Test("a field without a value has its default") func unnamedFieldsHaveDefaults() throws {
    #expect(try RequestDecoder.request(DepthRequest.self, from: []) == DepthRequest())
    var stereo = StereoRequest()
    stereo.parallax.balance = 0.25
    #expect(try RequestDecoder.request(StereoRequest.self, from: [("balance", "0.25")]) == stereo)
  }

  @Test("a flag is bare, true or false", arguments: [("", true), ("true", true), ("false", false)])
  func flagsMayHaveAValue(text: String, isOn: Bool) throws {
    let request = try RequestDecoder.request(DepthRequest.self, from: [("fill", text)])
    #expect(request.map.refinement.fill == isOn)
  }

  @Test(
    "a refusal names the mistake and the expected value",
    arguments: [
      ([("fill", "yes")], "fill is 'yes', expected true or false"),
      ([("fov", "wide")], "fov is 'wide', expected a number"),
      ([("fov", "")], "the parameter fov is empty, expected a value"),
      ([("fov", "200")], "fov is 200.0, expected 1 to 179 degrees"),
      ([("fov", "nan")], "fov is nan, expected 1 to 179 degrees"),
      ([("fov", "60"), ("fov", "60")], "the parameter fov is given twice, expected once"),
      ([("fow", "60")], "the parameter fow is unknown; did you mean 'fov'?"),
      ([("constructor", "60")], "the parameter constructor is unknown"),
      ([("refine", "sharp")], "refine is 'sharp', expected none, bilateral, gaussian or joint"),
      ([("focal-length", "26")], "focal-length is '26', expected 26mm, 525px, exif or none"),
      (
        [("focal-length", "26mm"), ("fov", "60")],
        "focal-length and fov exclude each other, expected one"
      ),
      (
        [("resolution", "640")],
        "resolution is '640', expected photo, network or a size such as 640x480"
      ),
    ])
  func mistakesAreNamed(pairs: [(String, String)], message: String) {
    let error = #expect(throws: InvalidRequest.self) {
      try RequestDecoder.request(
        DepthRequest.self, from: pairs.map { (name: $0.0, value: $0.1) })
    }
    #expect(error?.text(dashed) == message)
  }

  @Test("a whole number has no fraction") func kindsOfNumbersDiffer() {
    let error = #expect(throws: InvalidRequest.self) {
      try RequestDecoder.request(EffectRequest.self, from: [("blades", "5.5")])
    }
    #expect(error?.description == "blades is '5.5', expected a whole number")
  }
}
