import DepthBase
import DepthGeometry
import DepthImages
import LocalHTTP
import MonocularDepth
import PictureFiles
import Testing
import _TestSupport

@testable import DepthCommands

/// Answers to `POST /v1/depth`.
@Suite struct DepthAnswerTests {
  private let photo = TestPhoto.image()

  private func map(_ asked: AskedService, _ photo: Image) throws -> DepthMap {
    try asked.estimation().estimate(of: photo, named: "", call: CallContext(threads: 1)).depth
  }

  @Test(
    "depth in every form equals the command's file",
    arguments: [
      ("image/png", .png), ("application/x-npy", .npy), ("image/x-portable-floatmap", .pfm),
      ("image/x-exr", .exr),
    ] as [(String, DepthFileFormat)])
  func everyFormIsTheCommandsFile(type: String, format: DepthFileFormat) throws {
    let asked = try AskedService()
    let answer = try asked.answer(
      "/v1/depth", to: photo.encoded(as: .png), headers: ["Accept": type])
    #expect(answer.status == .ok && answer["Content-Type"] == type, "\(answer.reason)")
    let metadata = DepthFileMetadata(
      software: Version.text, weightsIdentifier: try asked.service.estimator.weightsIdentifier())
    #expect(try answer.body == map(asked, photo).encoded(as: format, metadata: metadata))
  }

  @Test("normals equal the command's files") func normalsAreTheCommandsFiles() throws {
    let asked = try AskedService()
    let depth = try map(asked, photo)
    let normals = try depth.normals(camera: PhotoCamera(of: photo).camera)
    func body(_ query: String, _ type: String) throws -> [UInt8] {
      let answer = try asked.answer(
        "/v1/normals\(query)", to: photo.encoded(as: .png), headers: ["Accept": type])
      #expect(answer.status == .ok && answer["Content-Type"] == type, "\(answer.reason)")
      return answer.body
    }
    #expect(try body("", "application/x-npy") == normals.encoded(as: .npy))
    #expect(
      try body("?16-bit&normals-frame=opengl", "image/png")
        == normals.encoded(as: .png, frame: .opengl, is16Bit: true, software: Version.text))
    let metadata = DepthFileMetadata(
      software: Version.text, weightsIdentifier: try asked.service.estimator.weightsIdentifier())
    #expect(
      try body("", "image/x-exr")
        == depth.encoded(
          as: .exr, metadata: metadata, normals: ({ normals }, .opencv),
          call: CallContext(threads: 1)))
    let refused = try asked.answer(
      "/v1/normals?16-bit", to: photo.encoded(as: .png), headers: ["Accept": "image/x-exr"])
    #expect(refused.status == .badRequest && refused.reason.contains("16-bit requires"))
    let relative = try AskedService(.relative).answer(
      "/v1/normals", to: photo.encoded(as: .png))
    #expect(relative.status == .unprocessable && relative.reason.contains("relative disparity"))
    // The page shows this picture of an open photo.
    let id = try asked.open(photo.encoded(as: .png))
    let shown = try asked.answer("GET /v1/photos/\(id)/normals")
    #expect(
      try shown.body
        == normals.encoded(as: .png, frame: .opengl, compression: .fast))
    #expect(try asked.answer("GET /v1/photos/x/normals").status == .notFound)
  }

  @Test(
    "the Accept header chooses the form of depth",
    arguments: [
      (nil, "image/png"), ("text/html, application/json;q=0.1", "application/json"),
      ("application/json;q=0.5, application/x-npy", "application/x-npy"),
    ] as [(String?, String)])
  func acceptChoosesTheForm(accept: String?, type: String) throws {
    let answer = try AskedService().answer(
      "/v1/depth", to: photo.encoded(as: .png), headers: accept.map { ["Accept": $0] } ?? [:])
    #expect(answer.status == .ok && answer["Content-Type"] == type)
  }

  /// The refusal comes before decoding, since the body is no photo.
  @Test("a form that is not offered is refused first") func unofferedFormsAreRefusedFirst() throws {
    let answer = try AskedService().answer(
      "/v1/depth", to: [1, 2, 3], headers: ["Accept": "image/jpeg"])
    #expect(answer.status == .notAcceptable && answer.reason.contains("image/png, "))
  }

  @Test("the record has the request's focal length")
  func theRecordHasTheRequestsFocalLength() throws {
    let asked = try AskedService()
    func record(_ query: String) throws -> [String: Any] {
      let answer = try asked.answer(
        "/v1/depth\(query)", to: photo.encoded(as: .png), headers: ["Accept": "application/json"])
      #expect(answer.status == .ok, "\(answer.reason)")
      return try answer.object
    }
    func number(_ record: [String: Any], _ key: String) throws -> Double {
      try #require(record[key] as? Double, "\(key)")
    }
    let (assumed, given) = (try record(""), try record("?focal-length=200px"))
    #expect(assumed["focal_length_source"] as? String == "assumed")
    #expect(given["focal_length_source"] as? String == "option")
    #expect(try number(given, "focal_length_px") == 200)
    let wanted = try #require(given["request"] as? [String: Any])
    let camera = try #require((wanted["map"] as? [String: Any])?["camera"] as? [String: Any])
    #expect(camera["focal_length"] as? String == "200px")
    // The distances are for the requested camera, too.
    let factor = try number(given, "depth_factor") / number(assumed, "depth_factor")
    #expect(factor > 1.5)
    for key in ["near_m", "far_m", "median_m"] {
      #expect(abs(try number(given, key) / number(assumed, key) / factor - 1) < 1e-3, "\(key)")
    }
    #expect(given["weights_id"] as? String == asked.service.weightsID)
    #expect(given["width"] as? Int == 64 && given["height"] as? Int == 48)
  }

  @Test("a turned photo has an upright map") func turnedPhotosHaveUprightMaps() throws {
    let asked = try AskedService()
    let file = Self.turned(try photo.encoded(as: .jpeg(quality: 95)))
    let upright = try Image(decoding: file)
    #expect(upright.height == 64 && upright.width == 48)
    let answer = try asked.answer("/v1/depth", to: file, headers: ["Accept": "application/x-npy"])
    #expect(try DepthMap(decoding: answer.body) == map(asked, upright))
  }

  /// A JPEG whose Exif block states that the first row is the right side.
  static func turned(_ jpeg: [UInt8]) -> [UInt8] {
    let exif = Array("Exif\0\0II*\0\u{8}\0\0\0\u{1}\0\u{12}\u{1}\u{3}\0\u{1}\0\0\0\u{6}\0\0\0".utf8)
    return jpeg[..<2] + [0xFF, 0xE1, 0, UInt8(exif.count + 6)] + exif + [0, 0, 0, 0] + jpeg[2...]
  }

  @Test("maps have the requested size") func sizesAreThoseThatWereAskedFor() throws {
    let asked = try AskedService()
    let network = asked.service.estimator.outputSize(height: 48, width: 64)
    for (query, height, width) in [
      ("", 48, 64), ("?resolution=32x24", 24, 32),
      ("?resolution=network", network.height, network.width),
    ] {
      let answer = try asked.answer(
        "/v1/depth\(query)", to: photo.encoded(as: .png), headers: ["Accept": "application/x-npy"])
      let map = try DepthMap(decoding: answer.body)
      #expect((map.height, map.width) == (height, width), "\(query)")
    }
  }

  /// curl's `-F` sends parameters as fields of the form.
  @Test("a form has the photo and the parameters") func formsHavePhotosAndParameters() throws {
    let asked = try AskedService()
    let png = try photo.encoded(as: .png)
    func part(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array("--x\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n".utf8) + content
        + Array("\r\n".utf8)
    }
    let headers = [
      "Content-Type": "multipart/form-data; boundary=x", "Accept": "application/x-npy",
    ]
    let end = Array("--x--\r\n".utf8)
    let form = part("focal-length", Array("200px".utf8)) + part("photo", png) + end
    #expect(
      try asked.answer("/v1/depth", to: form, headers: headers).body
        == asked.answer(
          "/v1/depth?focal-length=200px", to: png, headers: ["Accept": "application/x-npy"]
        ).body)
    let empty = try asked.answer("/v1/depth", to: part("fov", [0x39]) + end, headers: headers)
    #expect(empty.status == .badRequest && empty.reason.contains("no complete file"))
  }

  @Test(
    "a failure of a request has its status and reason",
    arguments: [
      ("", [], .badRequest, "the file is empty"),
      ("", Array("no photo".utf8), .unsupportedMediaType, "the photo: "),
      ("", nil, .unprocessable, "the photo: "),
      ("?resolution=4000x3000", TestPhoto.file, .tooLarge, "pixels"),
      ("?min-confidence=1", TestPhoto.file, .unprocessable, "the photo: "),
      ("?fov=180", TestPhoto.file, .badRequest, "fov is 180.0"),
      ("?focal-length=exif", TestPhoto.file, .badRequest, "the photo: "),
    ] as [(String, [UInt8]?, HTTPStatus, String)])
  func failuresHaveTheirStatus(
    query: String, body: [UInt8]?, status: HTTPStatus, reason: String
  ) throws {
    // Cases without a body send the first half of a photo.
    let body = body ?? Array(TestPhoto.file.prefix(TestPhoto.file.count / 2))
    let answer = try AskedService().answer("/v1/depth\(query)", to: body)
    #expect(answer.status == status && answer.reason.contains(reason), "\(answer.reason)")
  }

  @Test("a photo of too many pixels is refused") func photosBeyondTheLimitAreRefused() throws {
    let pixels = photo.height * photo.width
    for (limit, status) in [(pixels, HTTPStatus.ok), (pixels - 1, .tooLarge)] {
      let asked = try AskedService(maximumPixels: limit)
      #expect(try asked.answer("/v1/depth", to: TestPhoto.file).status == status)
    }
  }

  @Test("weights without expected errors refuse a least confidence")
  func weightsWithoutErrorsHaveNoConfidence() throws {
    let asked = try AskedService(.withoutErrors)
    #expect(try asked.answer("/v1/depth", to: TestPhoto.file).status == .ok)
    let answer = try asked.answer("/v1/depth?min-confidence=0.5", to: TestPhoto.file)
    #expect(answer.status == .badRequest && answer.reason.contains("no output for its confidence"))
    // The error must not contain the server's paths.
    #expect(!answer.reason.contains("/"), "\(answer.reason)")
  }

  @Test("records of relative maps state the unit") func relativeMapsStateTheirUnit() throws {
    let asked = try AskedService(.relative)
    let record = try asked.answer(
      "/v1/depth", to: TestPhoto.file, headers: ["Accept": "application/json"]
    ).object
    #expect(record["unit"] as? String == "relative-disparity" && record["near_m"] == nil)
  }
}

extension TestPhoto {
  /// The photo as a PNG file.
  static let file = (try? image().encoded(as: .png)) ?? []
}
