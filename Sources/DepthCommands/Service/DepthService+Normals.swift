import DepthBase
import DepthGeometry
import DepthImages
import DepthPhotos
import LocalHTTP
import MonocularDepth
import PictureFiles

/// Parameters of `/v1/normals`.
struct NormalsQuery: Request {
  var depth = DepthRequest()
  var normals = NormalsRequest()

  func check() throws(InvalidRequest) { try depth.check() }
}

extension DepthService {
  private static let normalTypes = MediaTypes(
    offered: ["image/png", "application/x-npy", "image/x-exr"])

  /// `POST /v1/normals`: the file that `depth predict --normals` writes. An OpenEXR file also contains
  /// the depth.
  func normals(_ sent: SentRequest, call: CallContext) throws -> HTTPResponse {
    let type = try sent.best(of: Self.normalTypes)
    let query = try sent.asked(for: NormalsQuery.self)
    if query.normals.is16Bit, type != "image/png" {
      throw HTTPRefusal(.badRequest, "16-bit requires Accept: image/png, found \(type)")
    }
    var estimation = estimation(query.depth.map)
    estimation.estimator = try normalsEstimator()
    func need(of file: PhotoFile, isEstimate: Bool) throws -> MemoryNeed {
      try estimation.unit.requireMetric(for: "/v1/normals")
      return try estimation.memoryNeed(.mapWithNormals, of: file, isEstimate: isEstimate)
    }
    return try withPhoto(sent.photo(), call: call, need: need) { photo in
      let made = try estimation.estimate(of: photo.image, named: Self.name, call: call)
      let normals = try made.finishedNormals(threads: call.threads)
      let bytes =
        if type == "image/x-exr" {
          try encoded(
            made, as: type, by: estimation, query.depth,
            normals: ({ normals }, query.normals.normalsFrame), call: call)
        } else {
          try query.normals.encoded(
            normals, as: type == "image/png" ? .png : .npy, compression: query.depth.compression,
            threads: call.threads)
        }
      return HTTPResponse(
        type: type, bytes, headers: MetresRecord(of: made, by: estimation.estimator).headers)
    }
  }

  /// `GET /v1/photos/ID/normals`: a picture for the page, with the usual axes of normal maps.
  func normals(ofPhoto id: String, call: CallContext) throws -> HTTPResponse {
    let photo = try openPhoto(id)
    let need = MemoryNeed(.mapWithNormals, pixels: photo.shown.depth.values.count)
    _ = try reservations.reserve(need, for: Self.name, cancellation: call.cancellation)
    defer { reservations.release(need) }
    let normals = try photo.shown.depth.normals(camera: photo.camera, threads: call.threads)
    try call.cancellation?.check()
    return HTTPResponse(
      type: "image/png",
      try normals.encoded(
        as: .png, frame: .opengl, compression: .fast, threads: call.threads))
  }
}
