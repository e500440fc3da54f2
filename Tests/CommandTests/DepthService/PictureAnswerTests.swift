import DepthBase
import DepthEffects
import DepthImages
import DepthPhotos
import Foundation
import LocalHTTP
import MonocularDepth
import PictureFiles
import Testing
import _TestSupport

@testable import DepthCommands

/// Answers to `POST /v1/effect` and `POST /v1/stereo`.
@Suite struct PictureAnswerTests {
  /// A photo with metres inside.
  private static let own = Result {
    try DepthPhoto.encode(TestPhoto.image(), depth: TestPhoto.depth(), as: .gDepth)
  }

  /// The photo with depth that has no unit.
  private static let relative = Result {
    var bytes = try own.get()
    let place = try #require(bytes.firstRange(of: Array("Units=\"m\"".utf8)))
    bytes.replaceSubrange(place, with: "Units=\"?\"".utf8)
    return bytes
  }

  @Test("sufficient depth inside a photo is used") func sufficientDepthInsideIsUsed() throws {
    let asked = try AskedService()
    let (own, relative) = (try Self.own.get(), try Self.relative.get())
    for (target, photo, source) in [
      ("stereo", own, "embedded"), ("stereo?depth=network", own, "network"),
      ("stereo", TestPhoto.file, "network"), ("stereo", relative, "embedded"),
      ("stereo?screen-distance=2m&fov=60", relative, "network"),
      ("stereo?screen-distance=2m&fov=60", own, "embedded"),
      ("effect?effect=haze", own, "embedded"), ("effect?effect=haze", relative, "network"),
      ("effect?effect=haze&strength=0.5", relative, "embedded"),
      ("effect?effect=haze&depth=embedded", own, "embedded"),
      ("effect?effect=blur&focus=1.5m", relative, "network"),
      ("effect?effect=blur&focus=0.5", relative, "embedded"),
    ] {
      let answer = try asked.answer("/v1/\(target)", to: photo)
      #expect(answer.status == .ok && answer["Depth-Source"] == source, "\(target)")
      // All memory is freed, including memory of depth that was read but not used.
      #expect(asked.service.reservations.photos == 0, "\(target)")
    }
    #expect(
      try asked.answer("/v1/stereo", to: own).body
        != asked.answer("/v1/stereo?depth=network", to: own).body)
  }

  @Test("relative weights use metres inside") func theDepthInsideServesWithEveryNetwork() throws {
    let (asked, target) = (try AskedService(.relative), "/v1/effect?effect=haze")
    #expect(try asked.answer(target, to: Self.own.get())["Depth-Source"] == "embedded")
    let refused = try asked.answer(target, to: TestPhoto.file)
    #expect(refused.status == .unprocessable, "\(refused.reason)")
  }

  @Test("stereo refuses a stereo photo") func stereoPhotosAreRefused() throws {
    let asked = try AskedService()
    let segment = JPEGFile.segment(0xE3, Array("_JPSJPS_".utf8) + [0, 4, 0, 0, 2, 1, 0, 0])
    let photo = try TestPhoto.image().encoded(as: .jpeg())
    let stereo: [UInt8] = photo[..<2] + segment + photo[2...]
    let refused = try asked.answer("/v1/stereo", to: stereo)
    #expect(refused.status == .unsupportedMediaType, "\(refused.reason)")
    #expect(refused.reason.contains("holds a stereo photo already (side by side)"))
    #expect(try asked.answer("/v1/effect?effect=haze", to: stereo).status == .ok)
  }

  @Test(
    "a photo without required depth inside is refused",
    arguments: ["stereo?depth=embedded", "effect?effect=haze&depth=embedded"])
  func missingDepthInsideIsRefused(target: String) throws {
    let asked = try AskedService()
    #expect(try asked.answer("/v1/\(target)", to: TestPhoto.file).status == .unprocessable)
    // An open photo has the network's depth.
    let id = try asked.open(TestPhoto.file)
    let answer = try asked.answer("/v1/\(target)&photo=\(id)")
    #expect(answer.status == .badRequest && answer.reason.contains("depth embedded"))
  }

  @Test("an answer has the pixels of the effect") func aPictureIsThatOfItsEffect() throws {
    let asked = try AskedService()
    let photo = TestPhoto.image()
    let depth = try asked.estimation(camera: .focalLength(.fieldOfView(60)))
      .estimate(of: photo, named: "", call: CallContext(threads: 1)).depth
    var effect = EffectRequest()
    (effect.effect, effect.haze.density) = (.haze, 0.2)
    let wanted = try effect.applied(
      to: photo, depth: depth, call: CallContext(threads: 1))
    let answer = try asked.answer(
      "/v1/effect?effect=haze&density=0.2&fov=60", to: TestPhoto.file,
      headers: ["Accept": "image/png"])
    #expect(try Image(decoding: answer.body).pixels == wanted.pixels)
  }

  /// An effect without a focus follows a film, too.
  @Test("haze uses a film's range if given") func hazeTakesTheRangeOfAFilm() throws {
    let photo = TestPhoto.image()
    let depth = DepthMap(
      height: photo.height, width: photo.width, unit: .metres,
      values: (0..<photo.height * photo.width).map { 1 + Float($0 % photo.width) / 100 })
    var effect = EffectRequest()
    (effect.effect, effect.haze.strength) = (.haze, 0.7)
    let held = DepthSpan(near: 4, far: 0.05)
    let call = CallContext(threads: 1)
    #expect(
      try effect.applied(to: photo, depth: depth, held: held, call: call).pixels
        == photo.haze(depth: depth, strength: 0.7, held: held, threads: 1).pixels)
    #expect(
      try effect.applied(to: photo, depth: depth, call: call).pixels
        == photo.haze(depth: depth, strength: 0.7).pixels)
  }

  /// Pictures are JPEG by default, but masks are never JPEG.
  @Test(
    "the Accept header chooses the file of a picture",
    arguments: [
      ("haze", nil, "image/jpeg"), ("haze", "image/png", "image/png"),
      ("mask&focus=0.5", "image/png", "image/png"), ("mask&focus=0.5", "image/jpeg", nil),
      ("mask&focus=0.5", "image/png;q=0, */*", "application/x-ndjson"),
      ("haze", "image/webp", nil), ("haze&quality=80", "image/jpeg", "image/jpeg"),
    ] as [(String, String?, String?)])
  func acceptChoosesTheFile(effect: String, accept: String?, type: String?) throws {
    let answer = try AskedService().answer(
      "/v1/effect?effect=\(effect)", to: TestPhoto.file,
      headers: accept.map { ["Accept": $0] } ?? [:])
    #expect(answer.status == (type == nil ? .notAcceptable : .ok))
    guard let type else { return }
    #expect(answer["Content-Type"] == type)
    let start: [String: [UInt8]] = ["image/jpeg": [0xFF, 0xD8], "image/png": [0x89, 0x50]]
    #expect(answer.body.starts(with: start[type] ?? Array("{\"data\":".utf8)))
  }

  @Test("quality is refused for an answer in PNG") func qualityIsThatOfJPEG() throws {
    let answer = try AskedService().answer(
      "/v1/effect?effect=haze&quality=80", to: TestPhoto.file, headers: ["Accept": "image/png"])
    #expect(answer.status == .badRequest && answer.reason.contains("quality requires JPEG"))
  }

  @Test("the line after progress contains the picture") func theLastLineHoldsThePicture() throws {
    let asked = try AskedService()
    let target = "/v1/effect?effect=blur&focus=0.5&radius=2%25"
    let picture = try asked.answer(target, to: Self.own.get())
    let client = Client()
    let answer = try asked.answer(
      target, to: Self.own.get(), headers: ["Accept": "application/x-ndjson"], client: client)
    let line = try answer.object
    let data = try #require(line["data"] as? String)
    #expect(Data(base64Encoded: data) == Data(picture.body))
    #expect(line["type"] as? String == "image/jpeg")
    #expect(line["depth_source"] as? String == "embedded")
    #expect(client.text.contains("{\"progress\":"))
  }

  @Test(
    "a picture is reduced to max-pixels",
    arguments: [
      ("", 48, 64), ("&max-pixels=768", 24, 32), ("&max-pixels=100000", 48, 64),
      ("&max-pixels=1", 1, 1),
    ])
  func picturesAreReduced(query: String, height: Int, width: Int) throws {
    let asked = try AskedService()
    let answer = try asked.answer("/v1/effect?effect=haze\(query)", to: TestPhoto.file)
    let picture = try Image(decoding: answer.body)
    #expect((picture.height, picture.width) == (height, width))
  }

  @Test(
    "a focus is a pixel of the sent photo",
    arguments: [("63,47", HTTPStatus.ok), ("64,47", .badRequest), ("63,48", .badRequest)])
  func aFocusIsAPixelOfThePhotoThatWasSent(place: String, status: HTTPStatus) throws {
    let asked = try AskedService()
    for query in ["", "&max-pixels=768"] {
      let answer = try asked.answer(
        "/v1/effect?effect=mask&focus-at=\(place)\(query)", to: TestPhoto.file)
      #expect(answer.status == status, "\(answer.reason)")
    }
  }

  @Test(
    "a draft requires an open photo",
    arguments: ["/v1/effect?effect=haze&draft=true", "/v1/stereo?draft=true"])
  func aDraftIsOneOfAnOpenPhoto(target: String) throws {
    let answer = try AskedService().answer(target, to: TestPhoto.file)
    #expect(answer.status == .badRequest && answer.reason == "draft requires photo")
  }

  @Test("pictures of a turned photo are upright") func picturesOfTurnedPhotosAreUpright() throws {
    let asked = try AskedService()
    let file = DepthAnswerTests.turned(try TestPhoto.image().encoded(as: .jpeg(quality: 95)))
    let id = try asked.open(file)
    for (target, width) in [
      ("effect?effect=haze", 48), ("stereo?format=sbs", 96), ("stereo?format=anaglyph", 48),
    ] {
      for (query, body) in [("", file), ("&photo=\(id)", [])] {
        let answer = try asked.answer("/v1/\(target)\(query)", to: body)
        #expect(answer.status == .ok, "\(answer.reason)")
        let picture = try Image(decoding: answer.body)
        #expect((picture.height, picture.width) == (64, width), "\(target)\(query)")
      }
    }
  }

  @Test(
    "stereo answers have the media type of the file",
    arguments: [
      ("anaglyph", "image/jpeg"), ("anaglyph&lossless=true", "image/png"), ("gif", "image/gif"),
      ("mpo", "image/mpo"),
    ])
  func stereoFilesHaveTheirType(format: String, type: String) throws {
    let asked = try AskedService()
    let answer = try asked.answer("/v1/stereo?format=\(format)", to: TestPhoto.file)
    #expect(answer.status == .ok && answer["Content-Type"] == type, "\(answer.reason)")
    let refused = try asked.answer(
      "/v1/stereo?format=\(format)", to: TestPhoto.file, headers: ["Accept": "image/webp"])
    #expect(refused.status == .notAcceptable)
  }

  @Test("a stereo format of two files is refused") func twoFilesAreNoAnswer() throws {
    let answer = try AskedService().answer("/v1/stereo?format=left-right", to: TestPhoto.file)
    #expect(answer.status == .badRequest && answer.reason.contains("one file"))
  }

  @Test("the location is kept only on request") func locationsAreKeptOnRequest() throws {
    let asked = try AskedService()
    let file = LocatedPhoto().inserted(into: try TestPhoto.image().encoded(as: .jpeg()))
    let id = try asked.open(file)
    for (query, body, tells) in [
      ("", file, false), ("&keep-location=true", file, true), ("&strip-metadata=true", file, false),
      ("&photo=\(id)", [], false),
    ] {
      for target in ["effect?effect=haze", "stereo?format=anaglyph"] {
        let answer = try asked.answer("/v1/\(target)\(query)", to: body)
        #expect(answer.status == .ok, "\(answer.reason)")
        #expect(LocatedPhoto.occurs(LocatedPhoto.needle, in: answer.body) == tells, "\(query)")
      }
    }
    let shown = try asked.answer("/v1/effect?effect=haze&photo=\(id)").body
    #expect(!LocatedPhoto.occurs("Camera Works", in: shown))
  }
}
