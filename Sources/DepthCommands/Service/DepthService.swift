import DepthBase
import DepthImages
import DepthPhotos
import LocalHTTP
import MonocularDepth
import PictureFiles

/// Handlers of the photo endpoints. A handler does the work of a command in memory.
///
/// At most as many photos as processors are in progress. Work ends soon after its client disconnects.
struct DepthService: Sendable {
  let estimator: DepthEstimator
  let weightsID: String
  let limits: ImageLimits
  let photos: PhotoCache
  /// Returns the estimator for requests for normals. The estimator's network may predict normals.
  let normalsEstimator: @Sendable () throws -> DepthEstimator
  let reservations = MemoryReservations()
  private let queue = RequestQueue(availableProcessors)

  /// - Parameter cacheBytes: Memory for the photos that are open in pages.
  init(
    estimator: DepthEstimator, weightsID: String, limits: ImageLimits, cacheBytes: Int,
    normals: (@Sendable () throws -> DepthEstimator)? = nil
  ) {
    normalsEstimator = normals ?? { estimator }
    (self.estimator, self.weightsID, self.limits) = (estimator, weightsID, limits)
    photos = PhotoCache(maximumBytes: cacheBytes)
  }

  /// Runs a request's work on the calling thread. Requests run in the order of arrival, at most one per processor.
  ///
  /// - Throws: `CancellationError` if the client has disconnected; any error of `work`.
  func run<Value>(
    _ exchange: HTTPExchange, _ work: (CallContext) throws -> Value
  ) throws -> Value {
    let cancellation = Cancellation { exchange.isOver }
    return try queue.run(cancellation: cancellation) {
      try ThreadShare.run(of: estimator.threads) { threads in
        try Cancellation.$current.withValue(cancellation) {
          try work(CallContext(threads: threads, cancellation: cancellation))
        }
      }
    }
  }

  /// The estimation for a request.
  func estimation(_ request: MapRequest) -> MapEstimation {
    var options = request.options
    options.limits = limits
    return MapEstimation(estimator, options: options)
  }

  /// The estimation for pictures made from a map.
  ///
  /// - Parameter usesMetres: Whether distances are used; relative depth is enough for other pictures.
  func estimation(camera: CameraRequest, usesMetres: Bool) -> MapEstimation {
    var options = DepthOptions(camera: camera.setting, limits: limits)
    options.relativeDepth = usesMetres ? .metres(isBounded: false) : .relative
    options.background = .farthest
    return MapEstimation(estimator, options: options)
  }

  /// Name of a request's photo in errors.
  static let name = "the photo"

  /// Runs work on a sent or open photo and its depth, as soon as memory for the photo is available.
  ///
  /// - Parameters:
  ///   - purpose: The feature that requires metres, for messages; `nil` if relative depth is enough.
  ///   - work: The kind of work, which determines the memory.
  ///   - pixels: Pixels of the output, if it may be larger than the photo.
  ///   - check: Throws for a photo from which the output cannot be made.
  ///   - estimation: Determines the memory of an estimate.
  ///   - estimate: Estimates the depth of a photo that is sent without depth.
  ///   - make: The work on the photo and its depth; `sent` is the size of the original photo.
  /// - Returns: The work's result, and the origin of the depth.
  /// - Throws: `HTTPRefusal` for a photo that is no longer open; `DepthError`; `CancellationError`; any error of the work.
  func withDepth<Value>(
    _ sent: SentRequest, _ query: OpenPhotoQuery, metresFor purpose: String?,
    _ work: MemoryNeed.Work, pixels: (_ height: Int, _ width: Int) -> Int = { _, _ in 0 },
    check: (PhotoFile) throws -> Void = { _ in }, by estimation: MapEstimation, call: CallContext,
    estimate: (Image, CallContext) throws -> DepthEstimate,
    _ make: (_ photo: Image, _ depth: DepthMap, _ sent: PixelSize, CallContext) throws -> Value
  ) throws -> (value: Value, origin: DepthOrigin) {
    guard let id = query.photo else {
      func need(of file: PhotoFile, isEstimate: Bool) throws -> MemoryNeed {
        try check(file)
        return try estimation.memoryNeed(
          work, of: file, isEstimate: isEstimate, pixels: pixels(file.height, file.width))
      }
      return try withPhoto(sent.photo(), query.depth, metresFor: purpose, call: call, need: need) {
        let size = PixelSize(width: $0.image.width, height: $0.image.height)
        if let depth = $0.depth {
          return (try make($0.image, depth, size, call.step(1, of: 2)), $0.origin)
        }
        let estimate = try estimate($0.image, call.step(0, of: 2))
        let depth = estimation.estimator.withBackground(estimate.depth, estimation.options)
        let photo = estimate.camera.given(to: $0.image)
        return (try make(photo, depth, size, call.step(1, of: 2)), $0.origin)
      }
    }
    let open = try openPhoto(id)
    let (photo, depth) = query.draft ? open.draft : open.shown
    let need = MemoryNeed(
      work, pixels: max(photo.height * photo.width, pixels(photo.height, photo.width)))
    _ = try reservations.reserve(need, for: Self.name, cancellation: call.cancellation)
    defer { reservations.release(need) }
    let known = estimation.estimator.withBackground(depth, estimation.options)
    return (try make(photo, known, open.size, call), .network)
  }

  /// Decodes a photo as soon as memory for its whole work is available, and runs that work.
  ///
  /// - Parameters:
  ///   - choice: Whether embedded depth is used.
  ///   - purpose: The feature that requires metres, for messages; `nil` if relative depth is enough.
  ///   - need: The memory for the photo, depending on whether depth is estimated.
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

  /// The server's health as JSON.
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
