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
    guard let effect = query.effect.photoEffect else { preconditionFailure("checked above") }
    let types = effect.isPNG ? Self.pngTypes : Self.pictureTypes
    let wanted = try sent.best(of: types)
    let isTold = wanted == Self.lines
    let type = isTold ? types.offered[0] : wanted
    var picture = query.effect.picture
    try refusing { try picture.check(writing: type == "image/png" ? "png" : "jpg") }
    let open = try sizedPhoto(query.open)
    if open != nil {
      // For the page, which shows it once.
      picture.quality = picture.quality ?? Self.shownQuality
      picture.stripMetadata = !picture.keepLocation
      if picture.compression == .default { picture.compression = .fast }
    }
    func made(
      of photo: Image, reducedFrom sent: PixelSize, _ map: DepthMap, _ origin: DepthOrigin,
      _ call: CallContext
    ) throws -> MadeEffect {
      let effect = effect.moved(
        from: (sent.height, sent.width), to: (photo.height, photo.width))
      let depth = try effect.depth(map, for: photo, threads: call.threads)
      return MadeEffect(
        bytes: try effect.encoded(
          photo, depth: depth,
          as: type == "image/png" ? .png : .jpeg(quality: picture.jpegQuality),
          metadata: picture.metadata, compression: picture.compression, call: call),
        origin: origin,
        focusM: try effect.focusDistance(in: depth, for: photo, threads: call.threads))
    }
    let call = isTold ? call.reporting(to: Self.progress(to: sent.exchange)) : call
    let pipeline = pipeline(camera: query.effect.camera)
    let answer: MadeEffect
    if let (photo, size) = open {
      let need = MemoryNeed(.effect, pixels: photo.image.height * photo.image.width)
      answer = try reserving(need, call: call) {
        try made(of: photo.image, reducedFrom: size, photo.depth, .network, call)
      }
    } else {
      func need(of file: PhotoFile, isEstimate: Bool) throws -> MemoryNeed {
        try pipeline.memoryNeed(.effect, of: file, isEstimate: isEstimate)
      }
      answer = try withPhoto(
        sent.photo(), query.open.depth, metresFor: effect.purposeOfMetres, call: call, need: need
      ) { source in
        let photo = source.image
        let map =
          try source.depth
          ?? pipeline.networkEstimate(of: photo, named: Self.name, call: call.step(0, of: 2))
          .networkMap
        return try made(
          of: photo.reduced(toPixels: query.maxPixels, threads: call.threads),
          reducedFrom: PixelSize(width: photo.width, height: photo.height), map, source.origin,
          call.step(1, of: 2))
      }
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
    func answer(
      _ photo: Image, reducedFrom sent: Int?, _ depth: DepthMap, _ origin: DepthOrigin
    ) throws -> HTTPResponse {
      let files = try request.files(of: photo, reducedFrom: sent, depth: depth, call: call)
      return HTTPResponse(type: type, files[0].bytes, headers: [Self.header(origin)])
    }
    if let (photo, size) = try sizedPhoto(query.open) {
      let (height, width) = (photo.image.height, photo.image.width)
      let need = MemoryNeed(
        .stereo, pixels: max(height * width, request.pixels(height: height, width: width)))
      return try reserving(need, call: call) {
        try answer(photo.image, reducedFrom: size.width, photo.depth, .network)
      }
    }
    func need(of file: PhotoFile, isEstimate: Bool) throws -> MemoryNeed {
      try pipeline(camera: request.camera).memoryNeed(
        .stereo, of: file, isEstimate: isEstimate, pixels: request.pixels(of: file))
    }
    return try withPhoto(
      sent.photo(), query.open.depth, metresFor: request.purposeOfMetres, call: call, need: need
    ) { source in
      let photo = source.image
      var options = DepthOptions()
      options.fitForViews(of: photo)
      let depth =
        try source.depth
        ?? pipeline(camera: request.camera, options).estimate(
          of: photo, named: Self.name, call: call
        ).depth
      return try answer(photo, reducedFrom: nil, depth, source.origin)
    }
  }

  /// The open photo that a request names, at the size that it asks for, and the size of the photo that was sent; `nil`
  /// where a request brings a photo itself.
  private func sizedPhoto(_ query: OpenPhotoQuery) throws -> (
    sized: SizedPhoto, sent: PixelSize
  )? {
    guard let id = query.photo else { return nil }
    let photo = try openPhoto(id)
    return (query.draft ? photo.draft : photo.shown, photo.size)
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
