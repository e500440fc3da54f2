import DepthBase
import DepthEffects
import DepthImages
import DepthPhotos
import LocalHTTP
import MonocularDepth
import PictureFiles

extension DepthService {
  /// Maximum pixels of pictures on a page; a full HD photo is not reduced.
  private static let shownPixels = 2_100_000
  /// Maximum pixels of pictures while a slider moves. An effect on such a picture takes a tenth of a second.
  private static let draftPixels = 240_000

  static let lines = "application/x-ndjson"

  /// `POST /v1/photos`: stores a photo and its depth for a page.
  ///
  /// During the work, the response is a stream of JSON lines: `{"progress": 0.4}`, and at the end the facts about the
  /// photo.
  func keepPhoto(_ sent: SentRequest, call: CallContext) throws -> HTTPResponse {
    let camera = try sent.asked(for: CameraRequest.self)
    var estimation = estimation(camera: camera, usesMetres: true)
    // The page shows metres.
    estimation.options.relativeDepth = .metres(isBounded: true)
    try estimation.unit.requireMetric(for: "the page")
    let body = try sent.photo()
    let call = call.reporting(to: Self.progress(to: sent.exchange))
    func need(of file: PhotoFile, isEstimate: Bool) throws -> MemoryNeed {
      try estimation.memoryNeed(.map, of: file, isEstimate: isEstimate)
    }
    let line = try withPhoto(body, call: call, need: need) { source in
      let estimate = try estimation.networkEstimate(
        of: source.image, named: Self.name, call: call.step(0, of: 2))
      let photo = estimate.camera.given(to: source.image)
      let shown = try sized(
        photo, estimate.networkMap, atMost: Self.shownPixels, call: call.step(1, of: 2))
      let draft =
        shown.image.height * shown.image.width <= Self.draftPixels
        ? shown
        : try sized(shown.image, estimate.networkMap, atMost: Self.draftPixels, call: call.silent)
      var digest = SHA256()
      digest.update(body)
      digest.update(Array("\(camera.setting)".utf8))
      let open = OpenPhoto(
        id: digest.hexadecimal, size: PixelSize(width: photo.width, height: photo.height),
        camera: estimate.camera.camera, shown: shown, draft: draft, errors: estimate.expectedError)
      guard photos.insert(open) else {
        throw HTTPRefusal(
          .tooLarge,
          "the open photo would take \(open.bytes >> 20) MiB, more than --cache-megabytes allows")
      }
      return try jsonLine(
        OpenPhotoRecord(
          id: open.id, photoWidth: photo.width, photoHeight: photo.height,
          draftWidth: draft.image.width, draftHeight: draft.image.height,
          focalLengthShare: estimate.camera.camera.focalLength / Double(photo.width),
          tellsErrors: open.errors != nil, errorFactor: estimate.toldErrorFactor,
          depthTypes: Self.mapTypes.offered,
          subject: shown.depth.subject(threads: call.threads).map { .init(x: $0.x, y: $0.y) },
          map: try record(shown.depth, estimate, by: estimation, threads: call.threads)))
    }
    return HTTPResponse(type: Self.lines, Array(line.utf8))
  }

  /// Sends progress lines while a response is made.
  static func progress(to exchange: HTTPExchange) -> @Sendable (Double) -> Void {
    let shown = ShownProgress { share in
      exchange.send(Array("{\"progress\":\(share)}\n".utf8), type: lines)
    }
    return shown.report
  }

  /// `GET /v1/photos/ID/depth`: metres as a NumPy array, which a page reads without loss.
  func depth(ofPhoto id: String) throws -> HTTPResponse {
    let photo = try openPhoto(id)
    return HTTPResponse(type: "application/x-npy", try photo.shown.depth.encoded(as: .npy))
  }

  /// `GET /v1/photos/ID/confidence`: the PFM file of `depth predict --confidence`, at the size of drafts.
  func confidence(ofPhoto id: String) throws -> HTTPResponse {
    let photo = try openPhoto(id)
    let (height, width) = (photo.draft.depth.height, photo.draft.depth.width)
    let errors = try estimator.requireErrors(photo.errors)
    let confidence = errors.resized(height: height, width: width).confidence
    return HTTPResponse(
      type: "image/x-portable-floatmap", PFM.file(confidence, height: height, width: width))
  }

  /// - Throws: `HTTPRefusal` with status 404 for a photo that is no longer open.
  func openPhoto(_ id: String) throws -> OpenPhoto {
    guard let photo = photos[id] else {
      throw HTTPRefusal(.notFound, "the photo is not open here, send it again")
    }
    return photo
  }

  /// The photo and its depth, reduced to at most `pixels`.
  private func sized(
    _ photo: Image, _ depth: DepthMap, atMost pixels: Int, call: CallContext
  ) throws -> OpenPhoto.Sized {
    let image = photo.reduced(toPixels: pixels, threads: call.threads)
    return (
      image, try DepthOptions(limits: limits).refined(depth, guidedBy: image, call: call)
    )
  }

  /// The last line of a response.
  private struct OpenPhotoRecord: Encodable {
    let id: String
    let photoWidth, photoHeight, draftWidth, draftHeight: Int
    /// Focal length divided by the photo's width.
    let focalLengthShare: Double
    /// Whether a confidence is available for the photo.
    let tellsErrors: Bool
    /// Factor from the photo's expected errors to the errors shown on the page.
    let errorFactor: Double
    /// Media types that `/v1/depth` supports in `Accept`.
    let depthTypes: [String]
    /// Default focus of effects, as a pixel of the shown map; `nil` for a map without values.
    let subject: Pixel?
    let map: PhotoRecord

    struct Pixel: Encodable {
      let x, y: Int
    }
  }
}
