import DepthBase
import DepthImages
import Foundation
import LocalHTTP
import MonocularDepth
import Testing
import _TestSupport

@testable import DepthCommands

/// Depth as numbers of JSON, for clients of LocalAI.
@Suite struct NumbersTests {
  private static let type = ["Content-Type": "application/json; charset=utf-8"]

  private func body(_ fields: [String: Any] = [:], image: String? = nil) throws -> [UInt8] {
    var object = fields
    object["image"] = image ?? Data(TestPhoto.file).base64EncodedString()
    return Array(try JSONSerialization.data(withJSONObject: object))
  }

  private func numbers(_ object: [String: Any], _ name: String) throws -> [Double] {
    try #require(object[name] as? [NSNumber], "\(name)").map(\.doubleValue)
  }

  @Test("depth, confidence and camera equal the library's") func equalsTheMap() throws {
    let asked = try AskedService()
    let answer = try asked.answer(
      "/v1/depth?fov=60", to: try body(["include_confidence": true, "model": "any"]),
      headers: Self.type)
    #expect(answer.status == .ok && answer["Content-Type"] == "application/json", "\(answer.text)")
    let object = try answer.object
    let made = try asked.estimation(camera: .focalLength(.fieldOfView(60)))
      .estimate(of: TestPhoto.image(), named: "photo", call: .init(threads: 1))
    let (height, width) = (made.depth.height, made.depth.width)
    #expect(object["width"] as? Int == width && object["height"] as? Int == height)
    #expect(object["is_metric"] as? Bool == true)
    #expect(try numbers(object, "depth").map(Float.init) == made.depth.values)
    let confidence = try #require(made.expectedError).resized(height: height, width: width)
      .confidence
    #expect(try numbers(object, "confidence").map(Float.init) == confidence)
    let focal = Double(width) / 2 / tan(30 * Double.pi / 180)
    let intrinsics = try numbers(object, "intrinsics")
    let expected = [
      focal, 0, Double(width - 1) / 2, 0, focal, Double(height - 1) / 2, 0, 0, 1,
    ]
    #expect(zip(intrinsics, expected).allSatisfy { abs($0 - $1) < 1e-6 } && intrinsics.count == 9)
    #expect(try numbers(object, "extrinsics") == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0])
    #expect(object["points"] == nil && object["num_points"] == nil)
  }

  @Test("points project to their pixels") func points() throws {
    let asked = try AskedService()
    let uri = "data:image/png;base64," + Data(TestPhoto.file).base64EncodedString()
    let fields: [String: Any] = ["include_points": true, "include_depth": false]
    let object = try asked.answer(
      "/v1/depth?fov=60&refine=none&resolution=20x16", to: try body(fields, image: uri),
      headers: Self.type
    ).object
    #expect(object["depth"] == nil && object["width"] as? Int == 20)
    let points = try numbers(object, "points")
    let k = try numbers(object, "intrinsics")
    let count = try #require(object["num_points"] as? Int)
    #expect(count == 320 && points.count == 3 * count)
    for point in 0..<count {
      let (x, y, z) = (points[3 * point], points[3 * point + 1], points[3 * point + 2])
      #expect(z > 0 && abs(k[0] * x / z + k[2] - Double(point % 20)) < 1e-3)
      #expect(abs(k[4] * y / z + k[5] - Double(point / 20)) < 1e-3)
    }
    let text = try #require(object["point_colors"] as? String)
    let colors = try #require(Data(base64Encoded: text))
    let photo = areaAveraged(TestPhoto.image(), height: 16, width: 20, threads: 1)
    #expect(Array(colors) == photo.pixels)
    // Half of the points reach this threshold.
    let confident = try asked.answer(
      "/v1/depth?fov=60&refine=none&resolution=20x16",
      to: try body(["include_confidence": true]), headers: Self.type
    ).object
    let confidence = try numbers(confident, "confidence")
    let middle = confidence.sorted()[160]
    let fewer = try asked.answer(
      "/v1/depth?fov=60&refine=none&resolution=20x16",
      to: try body(["include_points": true, "points_conf_thresh": middle]), headers: Self.type
    ).object
    #expect(fewer["num_points"] as? Int == confidence.filter { $0 >= middle }.count)
  }

  @Test(
    "wrong bodies are refused in one sentence",
    arguments: [
      (#"{"images":"x"}"#, "not a JSON object with `image`"), ("[1]", "not a JSON object"),
      ("", "is not JSON,"), (#"{"image":"#, "is not JSON,"),
      (#"{"image":"https://a.b/c.jpg"}"#, "is an address"),
      (#"{"image":"file:///etc/passwd"}"#, "is an address"),
      (#"{"image":"%%%"}"#, "is not base64"), (#"{"image":""}"#, "the file is empty"),
      (#"{"image":"data:image/png;base64,"}"#, "the file is empty"),
      (#"{"image":"","dst":"/tmp/x"}"#, "write files on the server"),
      (#"{"image":"","exports":["glb"]}"#, "write files on the server"),
      (#"{"image":"","include_sky":true}"#, "`include_sky` is not supported"),
      (#"{"image":"","points_conf_thresh":2}"#, "expected 0 to 1"),
      (
        #"{"image":"","include_depth":"yes"}"#,
        "`include_depth` has another type, expected true or false"
      ),
    ])
  func refusals(body: String, message: String) throws {
    let answer = try AskedService().answer("/v1/depth", to: Array(body.utf8), headers: Self.type)
    #expect(answer.status == .badRequest && answer.text.contains(message), "\(answer.text)")
  }

  @Test("a client that does not accept JSON is refused") func acceptedTypes() throws {
    let answer = try AskedService().answer(
      "/v1/depth", to: try body(), headers: Self.type.merging(["Accept": "image/png"]) { $1 })
    #expect(answer.status == .notAcceptable)
  }

  @Test("outputs that the weights lack are refused")
  func missingOutputs() throws {
    let confidence = try AskedService(.withoutErrors).answer(
      "/v1/depth", to: try body(["include_confidence": true]), headers: Self.type)
    #expect(confidence.status != .ok && confidence.text.contains("two outputs"))
    let relative = try AskedService(.relative)
    let points = try relative.answer(
      "/v1/depth", to: try body(["include_points": true]), headers: Self.type)
    #expect(points.status != .ok && points.text.contains("include_points"), "\(points.text)")
    let depth = try relative.answer(
      "/v1/depth?resolution=network&refine=none", to: try body(), headers: Self.type
    ).object
    #expect(depth["is_metric"] as? Bool == false)
  }
}
