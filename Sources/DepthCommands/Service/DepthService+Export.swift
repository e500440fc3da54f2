import DepthBase
import DepthGeometry
import DepthImages
import DepthPipeline
import DepthRequests
import LocalHTTP
import MonocularDepth
import PictureFiles

extension DepthService {
  /// `POST /v1/export`: the main file that `depth export` writes, of a format that is one file.
  func export(_ exchange: HTTPExchange) throws -> HTTPResponse {
    let request = try exchange.request.asked(for: ExportRequest.self)
    let format = request.exportFormat
    let isOneFile =
      format.geometry.map { $0.names("", texture: request.texture).count == 1 } ?? true
    guard isOneFile, let type = Self.exportTypes[format] else {
      throw HTTPRefusal(.badRequest, "expected format glb, ply or html")
    }
    _ = try MediaTypes(offered: [type]).best(for: exchange.request.head.headers["accept"])
    let pipeline = pipeline(request.map)
    try self.pipeline(camera: request.map.camera).unit.requireMetric(for: "/v1/export")
    let bytes = try run(exchange) { call in
      try withPhoto(
        Self.photo(of: exchange), call: call,
        need: {
          // The command's memory, and the file itself.
          let need = try pipeline.memoryNeed(request.work(), of: $0)
          return MemoryNeed(bytes: need.bytes + fileBytes($0.width * $0.height, request))
        }
      ) { photo in
        let made = try pipeline.map(of: photo, named: Self.name, call: call)
        let shaped = try request.shaped(
          photo, depth: made.depth, camera: made.estimate.camera.camera, name: "photo.jpg",
          threads: call.threads)
        return try shaped.files(name: "photo", texture: request.texture, threads: call.threads)[0]
          .gathered(reserving: fileBytes(photo.width * photo.height, request)) {
            try call.cancellation?.check()
          }
      }
    }
    return HTTPResponse(type: type, bytes)
  }

  private static let exportTypes: [ExportFormat: String] = [
    .glb: "model/gltf-binary", .ply: "application/octet-stream",
    .html: "text/html; charset=utf-8",
  ]

  /// Bytes of the file at most.
  private func fileBytes(_ pixels: Int, _ request: ExportRequest) -> Int {
    (request.geometryKind == .cloud ? 27 : 50) * pixels
  }
}
