import ArgumentParser
import DepthBase
import DepthGeometry
import DepthImages
import DepthPipeline
import LocalHTTP
import MonocularDepth
import PictureFiles

/// Parameters of `/v1/export`.
private struct ExportQuery: ParsableArguments {
  @OptionGroup var camera: CameraOptions
  @OptionGroup var refinement: RefinementOptions
  @OptionGroup var confidence: ConfidenceOptions
  @OptionGroup var correction: CorrectionQuery
  @OptionGroup var shape: GeometryShapeOptions
  @OptionGroup var output: GeometryOutputOptions

  func validate() throws { try shape.check(output) }
}

extension DepthService {
  /// `POST /v1/export`: the main file that `depth export` writes, of a format that is one file.
  func export(_ exchange: HTTPExchange) async throws -> HTTPResponse {
    let head = exchange.request.head
    let query = try ExportQuery.parse(head, besides: [], without: Self.optionsOfFiles)
    let (output, format) = (query.output, query.output.exportFormat)
    let isOneFile = format.geometry.map { $0.names("", texture: output.texture).count == 1 } ?? true
    guard isOneFile, let type = Self.exportTypes[format.name] else {
      throw HTTPRefusal(.badRequest, "expected format glb, ply or html")
    }
    _ = try MediaTypes(offered: [type]).best(for: head.headers["accept"])
    try pipeline(query.camera).unit.requireMetric(for: "/v1/export")
    let bytes = try await run { call in
      let pipeline = pipeline(
        query.camera, query.confidence.applied(to: query.refinement.settings),
        calibration: query.correction.calibration(for: query.refinement.refine))
      let work = output.work(
        keepsAllPixels: query.shape.keepsAllPixels, isSmooth: query.refinement.settings.isSmooth)
      return try withPhoto(
        Self.photo(of: exchange), call: call,
        need: {
          // The command's memory, and the file itself.
          let need = try pipeline.memoryNeed(work, of: $0)
          return MemoryNeed(bytes: need.bytes + fileBytes($0.width * $0.height, query))
        }
      ) { photo in
        let made = try pipeline.map(of: photo, named: Self.name, call: call)
        let shaped = try output.shaped(
          photo, depth: made.depth, camera: made.estimate.camera.camera,
          options: query.shape.options(fillsHoles: query.refinement.fill), name: "photo.jpg",
          threads: call.threads)
        return try shaped.files(name: "photo", texture: output.texture, threads: call.threads)[0]
          .gathered(reserving: fileBytes(photo.width * photo.height, query)) {
            try call.cancellation?.check()
          }
      }
    }
    return HTTPResponse(type: type, bytes)
  }

  /// Options that name files. A client names the file of an answer itself.
  static let optionsOfFiles: Set = ["output", "output-dir", "overwrite"]

  private static let exportTypes = [
    "glb": "model/gltf-binary", "ply": "application/octet-stream",
    "html": "text/html; charset=utf-8",
  ]

  /// Bytes of the file at most.
  private func fileBytes(_ pixels: Int, _ query: ExportQuery) -> Int {
    (query.output.geometryKind == .cloud ? 27 : 50) * pixels
  }
}
