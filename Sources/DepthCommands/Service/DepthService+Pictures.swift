import ArgumentParser
import DepthBase
import DepthImages
import DepthPipeline
import LocalHTTP
import MonocularDepth
import PictureFiles
import StereoPhotos
import SystemEssentials

/// Parameters of `/v1/stereo`.
private struct StereoQuery: ParsableArguments {
  @OptionGroup var parallax: ParallaxOptions
  @OptionGroup var camera: CameraOptions
  @OptionGroup var output: StereoOutputOptions

  func validate() throws { try parallax.check(output.stereoFormat) }
}

extension DepthService {
  private static let pictureTypes = MediaTypes(
    offered: ["image/jpeg", "image/png", DepthService.lines])
  private static let maskTypes = MediaTypes(offered: ["image/png", DepthService.lines])
  /// JPEG quality of pictures for the page, which it shows once.
  private static let shownQuality = 88

  /// `POST /v1/effect`: what `depth effect` writes.
  ///
  /// As `application/x-ndjson` the answer is lines of JSON while the work goes on, `{"progress": 0.4}`, and the
  /// picture in base 64 at the end. `?max-pixels=N` reduces a larger photo first. `focus-at` and focal lengths in
  /// pixels count pixels of the photo that was sent, also for one that is open.
  func effect(_ exchange: HTTPExchange) async throws -> HTTPResponse {
    let head = exchange.request.head
    let query = try EffectQuery(head)
    let types = query.effect.isMask ? Self.maskTypes : Self.pictureTypes
    let wanted = try types.best(for: head.headers["accept"])
    let isTold = wanted == Self.lines
    let type = isTold ? types.offered[0] : wanted
    try query.file.check(isPNG: type == "image/png")
    let open = try sizedPhoto(head)
    guard open == nil || query.maximumPixels == nil else {
      throw HTTPRefusal(.badRequest, "expected no max-pixels for a photo that is open")
    }
    let bytes = try await run(progress: isTold ? Self.progress(to: exchange) : nil) { call in
      if let open {
        let (photo, sent) = open
        return try query.effect.moved(
          from: (sent.height, sent.width), to: (photo.image.height, photo.image.width)
        ).encoded(
          photo.image, depth: photo.depth,
          as: type == "image/png"
            ? .png : .jpeg(quality: query.file.picture.wantedQuality ?? Self.shownQuality),
          metadata: query.file.metadata.given.isEmpty ? .essential : query.file.metadata.policy,
          compression: query.file.picture.png.given.isEmpty
            ? .fast : query.file.picture.png.compression, call: call)
      }
      return try withPhoto(
        Self.photo(of: exchange), call: call,
        need: { try pipeline(query.camera).memoryNeed(.effect, of: $0) }
      ) { try picture(of: $0, by: query, type: type, call: call) }
    }
    guard isTold else { return HTTPResponse(type: type, bytes) }
    let data = Data(bytes).base64EncodedString()
    return HTTPResponse(
      type: Self.lines, Array("{\"data\":\"\(data)\",\"type\":\"\(type)\"}\n".utf8))
  }

  /// The file of an effect on a photo that was sent.
  private func picture(
    of photo: Image, by query: EffectQuery, type: String, call: CallContext
  ) throws -> [UInt8] {
    let estimate = try pipeline(query.camera).estimate(
      of: photo, named: Self.name, call: call.step(0, of: 2))
    let sized = photo.reduced(toPixels: query.maximumPixels, threads: call.threads)
    let effect = query.effect.moved(
      from: (photo.height, photo.width), to: (sized.height, sized.width))
    return try effect.encoded(
      sized, depth: estimate.depth,
      as: type == "image/png"
        ? .png : .jpeg(quality: query.file.picture.quality),
      metadata: query.file.metadata.policy, compression: query.file.picture.png.compression,
      call: call.step(1, of: 2))
  }

  /// `POST /v1/stereo`: what `depth stereo` writes.
  func stereo(_ exchange: HTTPExchange) async throws -> HTTPResponse {
    let head = exchange.request.head
    let query = try StereoQuery.parse(
      head, besides: ["photo", "draft"], without: Self.optionsOfFiles)
    guard query.output.stereoFormat != .leftRight else {
      throw HTTPRefusal(.badRequest, "expected a format that is one file")
    }
    _ = try MediaTypes(offered: [Self.type(of: query)]).best(for: head.headers["accept"])
    if let (photo, sent) = try sizedPhoto(head) {
      return try await run { call in
        try call.checkpoint(0)
        return try Self.response(
          photo.image, sentWidth: sent.width, photo.depth, query, call: call)
      }
    }
    return try await run { call in
      return try withPhoto(
        Self.photo(of: exchange), call: call,
        need: {
          try pipeline(query.camera).memoryNeed(
            .stereo, of: $0, pixels: query.output.pixels(of: $0))
        }
      ) { photo in
        var settings = MapSettings()
        settings.fitForViews(of: photo)
        let made = try pipeline(query.camera, settings).map(of: photo, named: Self.name, call: call)
        return try Self.response(
          photo, sentWidth: photo.width, made.depth, query, call: call)
      }
    }
  }

  /// The open photo that a request names, at the size that it asks for, and the size of the photo that was sent; `nil`
  /// where a request brings a photo itself.
  private func sizedPhoto(_ head: HTTPRequestHead) throws -> (
    sized: SizedPhoto, sent: PixelSize
  )? {
    let draft = head.query.first { $0.name == "draft" }
    guard let id = head.parameter("photo") else {
      guard draft == nil else {
        throw HTTPRefusal(.badRequest, "draft is for a photo that is open, expected photo=ID")
      }
      return nil
    }
    let photo = try openPhoto(id)
    return (try draft?.isOn == true ? photo.draft : photo.shown, photo.size)
  }

  private static func response(
    _ photo: Image, sentWidth: Int, _ depth: DepthMap, _ query: StereoQuery, call: CallContext
  ) throws -> HTTPResponse {
    let file = try query.output.files(
      of: photo, reducedFrom: sentWidth, depth: depth, parallax: query.parallax,
      camera: query.camera.setting, call: call
    )[0]
    return HTTPResponse(type: type(of: query), file.bytes)
  }

  /// The media type of the file that a stereo format is.
  private static func type(of query: StereoQuery) -> String {
    switch query.output.pictureExtension {
    case "png": "image/png"
    case "gif": "image/gif"
    case "mpo": "image/mpo"
    default: "image/jpeg"
    }
  }
}
