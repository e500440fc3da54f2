import DepthEffects
import DepthImages
import DepthRefinement
import LocalHTTP
import MonocularDepth
import Testing

@testable import DepthCommands

/// `calibration-factor` of requests, and the focus point in a reduced photo.
@Suite struct CorrectionQueryTests {
  private func query(_ text: String) throws -> DepthRequest {
    try asked(text, for: DepthRequest.self)
  }

  private func asked<Wanted: Request>(_ text: String, for type: Wanted.Type) throws -> Wanted {
    let head = try HTTPRequestHead(parsing: Array("POST /?\(text) HTTP/1.1\r\nHost: h\r\n".utf8))
    return try HTTPRequest(head: head, body: []).asked(for: type)
  }

  @Test(
    "the calibration factor is for maps of the request's refinement",
    arguments: [("", "joint"), ("&refine=none", "none"), ("&refine=gaussian", "gaussian")])
  func calibrationIsOfTheMapsRefinement(parameter: String, name: String) throws {
    let query = try query("calibration-factor=1.25\(parameter)")
    let calibration = try #require(query.map.calibration)
    #expect(calibration.refinement.rawValue == name)
    #expect((calibration.scale, calibration.shift) == (0.8, 0))
  }

  @Test("without a factor there is no calibration") func withoutAFactorThereIsNone() throws {
    #expect(try query("").map.calibration == nil)
  }

  @Test("calibration factors of 0.01 and 100 are accepted", arguments: ["0.01", "100"])
  func limitsAreTaken(factor: String) throws {
    #expect(try query("calibration-factor=\(factor)").map.calibrationFactor != nil)
  }

  @Test(
    "calibration factors beyond 0.01 to 100 are refused",
    arguments: ["0", "-1", "0.009", "101", "nan", "inf", "x"])
  func otherFactorsAreRefused(factor: String) {
    let refusal = #expect(throws: HTTPRefusal.self) { try query("calibration-factor=\(factor)") }
    #expect(refusal?.status == .badRequest)
  }

  /// The last pixel stays last, and a point outside the photo stays outside.
  @Test(
    "a focus keeps its place in a reduced photo",
    arguments: [
      ("0,0", (0, 0)), ("639,479", (159, 119)), ("320,240", (80, 60)), ("640,5", (160, 1)),
      ("\(Int.max),5", (160, 1)), ("5,\(Int.max)", (1, 120)),
    ])
  func aFocusKeepsItsPlaceInAReducedPhoto(place: String, expected: (Int, Int)) throws {
    for effect in ["mask", "spotlight", "highlight", "blur", "blur&style=mask"] {
      let query = try asked("effect=\(effect)&focus-at=\(place)", for: EffectQuery.self)
      let focus = query.effect.depthFocus(
        in: PixelSize(width: 160, height: 120), reducedFrom: PixelSize(width: 640, height: 480))
      guard case .point(x: let x, y: let y) = focus else {
        Issue.record("\(effect) has no point")
        continue
      }
      #expect((x, y) == expected, "\(effect)")
    }
  }

  @Test(
    "an effect takes only options of its file format",
    arguments: [
      ("effect=haze&quality=80", true, "quality requires JPEG, but the output is a .png"),
      ("effect=haze&compression=fast", false, "compression requires an output as .png"),
      ("effect=haze&quality=80", false, nil), ("effect=haze&compression=fast", true, nil),
      ("effect=haze&quality=0", false, "quality is 0, expected 1 to 100"),
      ("effect=haze&lossless", true, "the parameter lossless is unknown"),
      ("effect=haze&16-bit", true, "16-bit requires effect mask, found effect haze"),
      ("effect=mask&focus=0.5&16-bit", true, nil),
      (
        "effect=mask&focus=0.5&keep-location", true,
        "keep-location requires a photo as output, but a mask is a PNG without metadata"
      ),
    ] as [(String, Bool, String?)])
  func effectsHaveTheOptionsOfTheirFile(text: String, isPNG: Bool, reason: String?) throws {
    let refusal: HTTPRefusal?
    do {
      let picture = try asked(text, for: EffectQuery.self).effect.picture
      try refusing { try picture.check(writing: isPNG ? "png" : "jpg") }
      refusal = nil
    } catch let error as HTTPRefusal { refusal = error }
    #expect(refusal == reason.map { HTTPRefusal(.badRequest, $0) })
  }

  /// A length in pixels of the sent photo is smaller in the reduced photo.
  @Test("a focal length in pixels follows the reduced photo")
  func aFocalLengthInPixelsFollowsTheReducedPhoto() throws {
    let query = try asked(
      "effect=blur&focus=1m&aperture=1.8&focal-length=400px", for: EffectQuery.self)
    let lens = query.effect.lens(
      inWidth: 160, reducedFrom: PixelSize(width: 640, height: 480))
    guard case .aperture(_, _, camera: let camera)? = lens?.amount else {
      Issue.record("\(String(describing: lens)) is no lens")
      return
    }
    #expect(camera == .pixels(100))
  }
}
