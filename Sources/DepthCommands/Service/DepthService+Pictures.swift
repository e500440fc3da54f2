import DepthBase
import DepthImages
import DepthPhotos
import LocalHTTP
import MonocularDepth
import PictureFiles
import StereoPhotos
import SystemEssentials

extension DepthService {
  private static let pictureTypes = MediaTypes(
    offered: ["image/jpeg", "image/png", DepthService.lines])
  private static let pngTypes = MediaTypes(offered: ["image/png", DepthService.lines])
  private static let maskTypes = MediaTypes(
    offered: ["image/png", DepthService.lines, "image/x-portable-floatmap"])
  /// JPEG quality of pictures that the page shows once.
  private static let shownQuality = 88

  /// `POST /v1/effect`: the picture that `depth effect` writes.
  ///
  /// For `application/x-ndjson`, the response is a stream of JSON lines: `{"progress": 0.4}` during the work, then the
  /// picture in base64. `?max-pixels=N` reduces larger photos first. `focus-at` and focal lengths in pixels refer to the
  /// original photo, also if the photo is open in a page.
  func effect(_ sent: SentRequest, call: CallContext) throws -> HTTPResponse {
    let query = try sent.asked(for: EffectQuery.self)
    var request = query.effect
    let types =
      request.effect == .mask ? Self.maskTypes : request.isPNG ? Self.pngTypes : Self.pictureTypes
    let wanted = try sent.best(of: types)
    let isTold = wanted == Self.lines
    let type = isTold ? types.offered[0] : wanted
    let ending = ["image/png": "png", "image/jpeg": "jpg"][type] ?? "pfm"
    try refusing { try request.check(writing: ending) }
    if query.open.photo != nil {
      // The page shows this picture once.
      request.picture.quality = request.picture.quality ?? Self.shownQuality
      request.picture.stripMetadata = !request.picture.keepLocation
      if request.picture.compression == .default { request.picture.compression = .fast }
    }
    let estimation = estimation(
      camera: request.camera, usesMetres: request.purposeOfMetres != nil)
    func estimate(_ photo: Image, call: CallContext) throws -> DepthEstimate {
      try estimation.networkEstimate(of: photo, named: Self.name, call: call)
    }
    let (answer, origin) = try withDepth(
      sent, query.open, metresFor: request.purposeOfMetres, .effect, by: estimation,
      call: isTold ? call.reporting(to: Self.progress(to: sent.exchange)) : call,
      estimate: estimate
    ) { photo, depth, sent, call in
      let photo = photo.reduced(toPixels: query.maxPixels, threads: call.threads)
      let depth = try request.depth(depth, for: photo, threads: call.threads)
      return (
        bytes: try request.encoded(
          photo, depth: depth, reducedFrom: sent,
          as: ending == "png"
            ? .png : ending == "jpg" ? .jpeg(quality: request.picture.jpegQuality) : nil,
          call: call),
        focusM: try request.focusDistance(
          in: depth, for: photo, reducedFrom: sent, threads: call.threads)
      )
    }
    guard isTold else {
      let focus = answer.focusM.map { (name: "Focus-Distance", value: "\($0)") }
      return HTTPResponse(
        type: type, answer.bytes, headers: [Self.header(origin)] + (focus.map { [$0] } ?? []))
    }
    let line = EffectLine(
      data: Data(answer.bytes).base64EncodedString(), depthSource: origin,
      focusM: answer.focusM, type: type)
    return HTTPResponse(type: Self.lines, Array(try jsonLine(line).utf8))
  }

  /// The last line of a response with an effect.
  private struct EffectLine: Encodable {
    /// The picture in base64.
    let data: String
    let depthSource: DepthOrigin
    let focusM: Float?
    let type: String
  }

  static func header(_ origin: DepthOrigin) -> (name: String, value: String) {
    ("Depth-Source", origin.rawValue)
  }

  /// `POST /v1/stereo`: the file that `depth stereo` writes.
  func stereo(_ sent: SentRequest, call: CallContext) throws -> HTTPResponse {
    let query = try sent.asked(for: StereoQuery.self)
    let request = query.stereo
    guard request.stereoFormat != .leftRight else {
      throw HTTPRefusal(.badRequest, "expected a format that is one file")
    }
    let type = Self.type(of: request)
    _ = try sent.best(of: MediaTypes(offered: [type]))
    try request.checkEncoder()
    var estimation = estimation(
      camera: request.camera, usesMetres: request.purposeOfMetres != nil)
    estimation.options.background = request.background
    func estimate(_ photo: Image, call: CallContext) throws -> DepthEstimate {
      var estimation = estimation
      estimation.options.fitForViews(of: photo)
      return try estimation.estimate(of: photo, named: Self.name, call: call)
    }
    let (bytes, origin) = try withDepth(
      sent, query.open, metresFor: request.purposeOfMetres, request.work, pixels: request.pixels,
      check: request.check(photo:), by: estimation, call: call, estimate: estimate
    ) { photo, depth, sent, call in
      try request.files(of: photo, reducedFrom: sent.width, depth: depth, call: call)[0].bytes
    }
    return HTTPResponse(type: type, bytes, headers: [Self.header(origin)])
  }

  /// The media type of a stereo format's file.
  private static func type(of request: StereoRequest) -> String {
    switch request.stereoFormat.fileExtension(output: request.output) {
    case "png": "image/png"
    case "gif": "image/gif"
    case "mpo": "image/mpo"
    case "heic": "image/heic"
    default: "image/jpeg"
    }
  }
}
