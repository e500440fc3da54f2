import DepthBase
import DepthGeometry
import DepthImages
import DepthPhotos
import LocalHTTP
import MonocularDepth
import PictureFiles

extension DepthService {
  /// `POST /v1/export`: the main file that `depth export` writes, for formats of a single file.
  func export(_ sent: SentRequest, call: CallContext) throws -> HTTPResponse {
    let query = try sent.asked(for: ExportQuery.self)
    let request = query.export
    let format = request.exportFormat
    let isOneFile =
      format.geometry.map { $0.names("", texture: request.texture).count == 1 } ?? !format.isFolder
    guard isOneFile, let type = Self.exportTypes[format] else {
      throw HTTPRefusal(.badRequest, "expected format glb, ply or html")
    }
    _ = try sent.best(of: MediaTypes(offered: [type]))
    let estimation = estimation(request.map)
    func need(of file: PhotoFile, isEstimate: Bool) throws -> MemoryNeed {
      if isEstimate { try estimation.unit.requireMetric(for: "/v1/export") }
      // The need of the command, plus the file's bytes in memory.
      let need = try estimation.memoryNeed(
        request.work(isEstimate: isEstimate), of: file, isEstimate: isEstimate)
      return MemoryNeed(bytes: need.bytes + fileBytes(file.width * file.height, request))
    }
    let (bytes, headers) = try withPhoto(
      sent.photo(), query.choice, metresFor: request.purposeOfMetres, call: call, need: need
    ) { photo in
      let (shape, metres) = try shaped(photo, request, by: estimation, call: call)
      let bytes =
        try shape
        .files(name: "photo", texture: request.texture, threads: call.threads)[0]
        .gathered(reserving: fileBytes(photo.image.width * photo.image.height, request)) {
          try call.cancellation?.check()
        }
      return (bytes, [Self.header(photo.origin)] + metres.headers)
    }
    return HTTPResponse(type: type, bytes, headers: headers)
  }

  private func shaped(
    _ source: PhotoWithDepth, _ request: ExportRequest, by estimation: MapEstimation,
    call: CallContext
  ) throws -> (PhotoExport, MetresRecord?) {
    let photo = source.image
    let depth: DepthMap
    let camera: PhotoCamera
    var facts = DepthPage.Facts()
    var metres: MetresRecord?
    if let own = source.depth {
      depth = try estimation.options.sized(own, for: photo, call: call)
      camera = try namingFailures(of: Self.name) {
        try PhotoCamera(of: photo, estimation.options.camera, training: .kinect)
      }
    } else {
      let made = try estimation.estimate(of: photo, named: Self.name, call: call)
      (depth, camera) = (made.depth, made.camera)
      let known = DepthFacts(of: made, by: estimation)
      (facts.uncertainty, facts.errorFactor) = (known.uncertainty, known.toldErrorFactor)
      metres = known.metres
    }
    facts.focalLengthSource = camera.sourceName
    let shape = try request.shaped(
      photo, depth: depth, camera: camera.camera, name: "photo.jpg", facts: facts,
      threads: call.threads)
    return (shape, metres)
  }

  private static let exportTypes: [ExportFormat: String] = [
    .glb: "model/gltf-binary", .ply: "application/octet-stream",
    .html: "text/html; charset=utf-8",
  ]

  /// Maximum size of the file in bytes.
  private func fileBytes(_ pixels: Int, _ request: ExportRequest) -> Int {
    (request.geometryKind == .cloud ? 27 : 50) * pixels
  }
}
