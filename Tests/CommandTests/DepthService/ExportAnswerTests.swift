import DepthImages
import DepthPhotos
import Foundation
import LocalHTTP
import PictureFiles
import Testing
import _TestSupport

@testable import DepthCommands

/// Answers to `POST /v1/export`.
@Suite struct ExportAnswerTests {
  /// A photo with metres inside.
  private static let own = Result {
    try DepthPhoto.encode(TestPhoto.image(), depth: TestPhoto.depth(), as: .gDepth)
  }

  @Test(
    "export answers with formats of one file",
    arguments: [
      ("", "model/gltf-binary", "glTF"), ("?format=glb", "model/gltf-binary", "glTF"),
      ("?format=ply", "application/octet-stream", "ply\n"),
      ("?format=html", "text/html; charset=utf-8", "<!doctype html>"),
    ])
  func formatsOfOneFileAreAnswers(query: String, type: String, start: String) throws {
    let asked = try AskedService()
    let answer = try asked.answer("/v1/export\(query)", to: TestPhoto.file)
    #expect(answer.status == .ok && answer["Content-Type"] == type, "\(answer.reason)")
    #expect(answer.body.starts(with: start.utf8) && answer["Depth-Source"] == "network")
    let refused = try asked.answer(
      "/v1/export\(query)", to: TestPhoto.file, headers: ["Accept": "image/png"])
    #expect(refused.status == .notAcceptable && refused.reason.contains(type))
  }

  @Test("a format of several files is refused") func severalFilesAreNoAnswer() throws {
    let answer = try AskedService().answer("/v1/export?format=obj", to: TestPhoto.file)
    #expect(answer.status == .badRequest && answer.reason == "expected format glb, ply or html")
  }

  @Test("depth inside a photo gives the command's file")
  func theDepthInsideAPhotoMakesTheCommandsFile() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Self.own.get(), to: "own.jpg")
    let made = try runDepth(
      ["export", "own.jpg", "-o", "own.ply", "--quiet"], in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let asked = try AskedService()
    let answer = try asked.answer("/v1/export?format=ply", to: Self.own.get())
    #expect(answer["Depth-Source"] == "embedded")
    #expect(try answer.body == TemporaryFolder.bytes(of: folder.path("own.ply")))
    // Options that only estimates have select the network.
    let sure = try asked.answer("/v1/export?format=ply&min-confidence=0.01", to: Self.own.get())
    #expect(sure["Depth-Source"] == "network")
    for target in ["?depth=embedded&min-confidence=0.01", "?depth=file"] {
      #expect(try asked.answer("/v1/export\(target)", to: Self.own.get()).status == .badRequest)
    }
    let none = try asked.answer("/v1/export?depth=embedded", to: TestPhoto.file)
    #expect(none.status == .unprocessable)
  }

  /// With half the angle of view, points are closer to the axis by the ratio of tangents.
  @Test("a request's camera shapes points") func theCameraOfTheRequestShapesThePoints() throws {
    let asked = try AskedService()
    func points(_ fov: Int) throws -> [[Double]] {
      try Self.points(asked.answer("/v1/export?format=ply&fov=\(fov)", to: Self.own.get()).body)
    }
    let (wide, narrow) = (try points(60), try points(30))
    #expect(wide.count == narrow.count && wide.count > 2000)
    let ratio = tan(15 * Double.pi / 180) / tan(30 * Double.pi / 180)
    for (w, n) in zip(wide, narrow) {
      #expect(abs(n[0] - ratio * w[0]) < 1e-3 && abs(n[1] - ratio * w[1]) < 1e-3)
      #expect(abs(n[2] - w[2]) < 1e-4)
    }
  }

  /// The points of a PLY file whose vertices begin with three floats.
  private static func points(_ bytes: [UInt8]) throws -> [[Double]] {
    let end = try #require(bytes.firstRange(of: Array("end_header\n".utf8))).upperBound
    let header = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\n")
    let line = try #require(header.first { $0.hasPrefix("element vertex ") })
    let count = try #require(Int(line.dropFirst(15)))
    let sizes = ["float": 4, "uchar": 1]
    let stride = header.filter { $0.hasPrefix("property ") && !$0.hasPrefix("property list") }
      .reduce(0) { $0 + (sizes[String($1.split(separator: " ")[1])] ?? 0) }
    return (0..<count).map { index in
      (0..<3).map { axis in
        let start = end + index * stride + 4 * axis
        let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
        return Double(Float(bitPattern: bits))
      }
    }
  }

  /// Geometry needs metres from any source.
  @Test("relative weights export only metres inside a photo")
  func relativeWeightsExportMetresInsideAlone() throws {
    let asked = try AskedService(.relative)
    #expect(try asked.answer("/v1/export", to: Self.own.get())["Depth-Source"] == "embedded")
    let refused = try asked.answer("/v1/export", to: TestPhoto.file)
    #expect(refused.status == .unprocessable && refused.reason.contains("/v1/export"))
  }
}
