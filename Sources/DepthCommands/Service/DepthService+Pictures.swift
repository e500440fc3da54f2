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
  /// JPEG quality of pictures for the page, which it shows once.
  private static let shownQuality = 88

  /// `POST /v1/effect`: what `depth effect` writes.
  ///
  /// As `application/x-ndjson` the answer is lines of JSON while the work goes on, `{"progress": 0.4}`, and the
  /// picture in base 64 at the end. `?max-pixels=N` reduces a larger photo first. `focus-at` and focal lengths in
  /// pixels count pixels of the photo that was sent, also for one that is open.
  func effect(_ sent: SentRequest, call: CallContext) throws -> HTTPResponse {
    let query = try sent.asked(for: EffectQuery.self)
    var request = query.effect
    let types = request.isPNG ? Self.pngTypes : Self.pictureTypes
    let wanted = try sent.best(of: types)
    let isTold = wanted == Self.lines
    let type = isTold ? types.offered[0] : wanted
    let isPNG = type == "image/png"
    try refusing { try request.picture.check(writing: isPNG ? "png" : "jpg") }
    if query.open.photo != nil {
      // For the page, which shows it once.
      request.picture.quality = request.picture.quality ?? Self.shownQuality
      request.picture.stripMetadata = !request.picture.keepLocation
      if request.picture.compression == .default { request.picture.compression = .fast }
    }
    let pipeline = pipeline(
      camera: request.camera, usesMetres: request.purposeOfMetres != nil)
    func estimate(_ photo: Image, call: CallContext) throws -> DepthMap {
      try pipeline.networkEstimate(of: photo, named: Self.name, call: call).networkMap
    }
    let answer = try withDepth(
      sent, query.open, metresFor: request.purposeOfMetres, .effect, by: pipeline,
      call: isTold ? call.reporting(to: Self.progress(to: sent.exchange)) : call,
      estimate: estimate
    ) { source, call in
      let photo = source.image.reduced(toPixels: query.maxPixels, threads: call.threads)
      let depth = try request.depth(source.depth, for: photo, threads: call.threads)
      return MadeEffect(
        bytes: try request.encoded(
          photo, depth: depth, reducedFrom: source.size,
          as: isPNG ? .png : .jpeg(quality: request.picture.jpegQuality), call: call),
        origin: source.origin,
        focusM: try request.focusDistance(
          in: depth, for: photo, reducedFrom: source.size, threads: call.threads))
    }
    guard isTold else {
      let focus = answer.focusM.map { (name: "Focus-Distance", value: "\($0)") }
      return HTTPResponse(
        type: type, answer.bytes, headers: [Self.header(answer.origin)] + (focus.map { [$0] } ?? [])
      )
    }
    let line = EffectLine(
      data: Data(answer.bytes).base64EncodedString(), depthSource: answer.origin,
      focusM: answer.focusM,
      type: type)
    return HTTPResponse(type: Self.lines, Array(try jsonLine(line).utf8))
  }

  /// A picture, the origin of its depth and the distance in focus, metres.
  private struct MadeEffect {
    let bytes: [UInt8]
    let origin: DepthOrigin
    let focusM: Float?
  }

  /// The last line of an effect's answer.
  private struct EffectLine: Encodable {
    /// The picture in base 64.
    let data: String
    let depthSource: DepthOrigin
    let focusM: Float?
    let type: String
  }

  /// The header `Depth-Source`.
  static func header(_ origin: DepthOrigin) -> (name: String, value: String) {
    ("Depth-Source", origin.rawValue)
  }

  /// `POST /v1/stereo`: what `depth stereo` writes.
  func stereo(_ sent: SentRequest, call: CallContext) throws -> HTTPResponse {
    let query = try sent.asked(for: StereoQuery.self)
    let request = query.stereo
    guard request.stereoFormat != .leftRight else {
      throw HTTPRefusal(.badRequest, "expected a format that is one file")
    }
    let type = Self.type(of: request)
    _ = try sent.best(of: MediaTypes(offered: [type]))
    let pipeline = pipeline(
      camera: request.camera, usesMetres: request.purposeOfMetres != nil)
    func estimate(_ photo: Image, call: CallContext) throws -> DepthMap {
      var pipeline = pipeline
      pipeline.options.fitForViews(of: photo)
      return try pipeline.estimate(of: photo, named: Self.name, call: call).depth
    }
    func check(_ file: PhotoFile) throws { try file.requireOneView() }
    return try withDepth(
      sent, query.open, metresFor: request.purposeOfMetres, .stereo, pixels: request.pixels,
      check: check, by: pipeline, call: call, estimate: estimate
    ) { source, call in
      let files = try request.files(
        of: source.image, reducedFrom: source.size.width, depth: source.depth, call: call)
      return HTTPResponse(type: type, files[0].bytes, headers: [Self.header(source.origin)])
    }
  }

  /// The media type of the file that a stereo format is.
  private static func type(of request: StereoRequest) -> String {
    switch request.stereoFormat.fileExtension(output: request.output) {
    case "png": "image/png"
    case "gif": "image/gif"
    case "mpo": "image/mpo"
    default: "image/jpeg"
    }
  }
}
