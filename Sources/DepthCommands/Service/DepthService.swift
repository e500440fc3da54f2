import DepthBase
import DepthImages
import DepthPhotos
import LocalHTTP
import MonocularDepth
import PictureFiles

/// What the server does with photos: the same as the command line, in memory.
///
/// As many photos are in progress at once as there are processors, and their work ends soon after its client has left.
struct DepthService: Sendable {
  let estimator: DepthEstimator
  let weightsID: String
  let limits: ImageLimits
  let photos: PhotoCache
  let reservations = MemoryReservations()
  private let turns = Turns(availableProcessors)

  /// - Parameter cacheBytes: Memory for the photos that pages have open.
  init(estimator: DepthEstimator, weightsID: String, limits: ImageLimits, cacheBytes: Int) {
    (self.estimator, self.weightsID, self.limits) = (estimator, weightsID, limits)
    photos = PhotoCache(maximumBytes: cacheBytes)
  }

  /// Does a request's work on the calling thread, once fewer others than processors are at work; first come, first served.
  ///
  /// - Throws: `CancellationError` where nobody waits for the answer any more; what `work` throws.
  func run<Value>(
    _ exchange: HTTPExchange, _ work: (CallContext) throws -> Value
  ) throws -> Value {
    let cancellation = Cancellation { exchange.isOver }
    return try turns.run(cancellation: cancellation) {
      try ThreadShare.run(of: estimator.threads) { threads in
        try Cancellation.$current.withValue(cancellation) {
          try work(CallContext(threads: threads, cancellation: cancellation))
        }
      }
    }
  }

  /// How a request's map is made.
  func pipeline(_ request: MapRequest) -> MapEstimation {
    MapEstimation(
      estimator, options: request.options, camera: request.camera.setting,
      calibration: request.calibration, limits: limits)
  }

  /// The same for what is made of a map.
  func pipeline(
    camera: CameraRequest, _ options: DepthOptions = DepthOptions()
  ) -> MapEstimation {
    MapEstimation(estimator, options: options, camera: camera.setting, limits: limits)
  }

  /// What errors call a request's photo.
  static let name = "the photo"

  /// Does work as soon as there is memory for it.
  ///
  /// - Throws: `DepthError` with code `insufficientMemory`; `CancellationError`; what `work` throws.
  func reserving<Value>(
    _ need: MemoryNeed, call: CallContext, _ work: () throws -> Value
  ) throws -> Value {
    _ = try reservations.reserve(need, for: Self.name, cancellation: call.cancellation)
    defer { reservations.release(need) }
    return try work()
  }

  /// Decodes a photo as soon as there is memory for its whole work, and does that work.
  ///
  /// - Parameters:
  ///   - choice: Whether its embedded depth is taken.
  ///   - purpose: The feature that requires metres, for messages; `nil` if relative depth is enough.
  ///   - need: Memory for the photo; depends on whether its depth is estimated.
  func withPhoto<Value>(
    _ body: [UInt8], _ choice: DepthChoice = .network, metresFor purpose: String? = nil,
    call: CallContext,
    need: (_ file: PhotoFile, _ isEstimate: Bool) throws -> MemoryNeed,
    _ work: (PhotoWithDepth) throws -> Value
  ) throws -> Value {
    guard !body.isEmpty else {
      throw HTTPRefusal(.badRequest, "the file is empty, expected a photo")
    }
    let file = try PhotoFile(decoding: body, name: Self.name, limits: limits)
    var reserved: MemoryNeed?
    defer { reserved.map(reservations.release) }
    let photo = try PhotoWithDepth(file, choice, metresFor: purpose, limits: limits) { isEstimate in
      let need = try need(file, isEstimate)
      reserved.take().map(reservations.release)
      _ = try reservations.reserve(need, for: Self.name, cancellation: call.cancellation)
      reserved = need
      try call.checkpoint(0)
    }
    return try work(photo)
  }

  /// Whether the server runs, as JSON.
  func health() throws -> HTTPResponse {
    let line = try jsonLine(
      Health(status: "ok", version: Version.number, weightsID: weightsID, photos: photos.count))
    return HTTPResponse(type: "application/json", Array(line.utf8))
  }

  private struct Health: Encodable {
    let status, version, weightsID: String
    let photos: Int
  }
}

/// A client's request: the parameters of the address and of a form, and the photo that it sends.
struct SentRequest {
  let exchange: HTTPExchange
  private let form: MultipartForm?

  /// Reads the form, if there is one, which is part of the work.
  ///
  /// - Throws: `HTTPRefusal` with status 400 for a form that cannot be read; `CancellationError`.
  init(_ exchange: HTTPExchange, call: CallContext) throws {
    self.exchange = exchange
    let request = exchange.request
    form = try MultipartForm(
      contentType: request.head.headers["content-type"], body: request.body
    ) { try call.cancellation?.check() }
  }

  /// The photo: the body, or the first file of a form.
  ///
  /// - Throws: `HTTPRefusal` with status 400 for a form without a file.
  func photo() throws -> [UInt8] { try form?.file() ?? exchange.request.body }

  /// What the address and the form's fields ask for.
  ///
  /// - Throws: `HTTPRefusal` with status 400 and what is wrong with a parameter.
  func asked<Wanted: Request>(for type: Wanted.Type) throws -> Wanted {
    let head = exchange.request.head
    let parameters = head.query + (try form?.parameters() ?? [])
    do {
      return try RequestDecoder.request(type, from: parameters.map { ($0.name, $0.value) })
    } catch let error as InvalidRequest {
      // A photo without a file name may be what is not known.
      if head.parameter("photo") == nil { _ = try form?.file() }
      throw HTTPRefusal(.badRequest, error.text(dashed))
    }
  }

  /// The best of some media types that the client accepts.
  ///
  /// - Throws: `HTTPRefusal` with status 406.
  func best(of types: MediaTypes) throws(HTTPRefusal) -> String {
    try types.best(for: exchange.request.head.headers["accept"])
  }
}

/// Runs what checks a request; its errors become answers of status 400.
func refusing<Value>(_ check: () throws -> Value) throws -> Value {
  do { return try check() } catch let error as InvalidRequest {
    throw HTTPRefusal(.badRequest, error.text(dashed))
  }
}

/// `?photo=ID` in place of a body: a photo that a page has open.
struct OpenPhotoQuery: Request {
  var photo: String?
  /// Whether the photo is taken at the size at which effects are made while a slider moves.
  var draft = false
  /// The depth source; an open photo has estimated depth.
  var depth = DepthChoice.auto

  func check() throws(InvalidRequest) {
    if draft, photo == nil {
      throw InvalidRequest("`draft` requires `photo`")
    }
    if photo != nil, depth == .embedded {
      throw InvalidRequest("`depth` embedded requires a photo that is sent, found `photo`")
    }
  }
}

/// Parameters of `/v1/export`.
struct ExportQuery: Request {
  var export = ExportRequest()
  var depth = DepthChoice.auto

  func check() throws(InvalidRequest) {
    try export.check()
    if depth == .embedded, let field = export.map.estimateFields.first {
      throw InvalidRequest("`\(field)` requires estimated depth, found `depth` embedded")
    }
  }

  /// Fields of the estimate decide for the network.
  var choice: DepthChoice { export.map.estimateFields.isEmpty ? depth : .network }
}

/// Parameters of `/v1/stereo`.
struct StereoQuery: Request {
  var stereo = StereoRequest()
  var open = OpenPhotoQuery()

  func check() throws(InvalidRequest) {
    try stereo.check()
    try open.check()
  }
}

/// Parameters of `/v1/effect`. The header `Accept` takes the place of `--lossless`.
struct EffectQuery: Request {
  var effect = EffectRequest()
  var open = OpenPhotoQuery()
  /// Pixels of the photo that the effect is applied to, at most.
  var maxPixels: Int?

  func check() throws(InvalidRequest) {
    try effect.check()
    try open.check()
    if let maxPixels, maxPixels < 1 {
      throw InvalidRequest("`maxPixels` is '\(maxPixels)', expected a positive number")
    }
    if open.photo != nil, maxPixels != nil {
      throw InvalidRequest("expected no `maxPixels` for a photo that is open")
    }
  }
}
