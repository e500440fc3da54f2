import DepthBase
import DepthImages
import DepthPipeline
import LocalHTTP
import MonocularDepth
import PictureFiles

/// What the server does with photos: the same as the command line, in memory.
///
/// All work of a request runs as one call of the package's queue, so that as many photos are decoded at once
/// as there are processors, and ends soon after its client has left.
struct DepthService: Sendable {
  let estimator: DepthEstimator
  let weightsID: String
  let limits: ImageLimits
  let photos: PhotoCache
  private let reservations = MemoryReservations()

  /// - Parameter cacheBytes: Memory for the photos that pages have open.
  init(estimator: DepthEstimator, weightsID: String, limits: ImageLimits, cacheBytes: Int) {
    (self.estimator, self.weightsID, self.limits) = (estimator, weightsID, limits)
    photos = PhotoCache(maximumBytes: cacheBytes)
  }

  /// Runs work on threads of this package.
  ///
  /// - Parameter progress: Called with the share done, 0…1, from any thread.
  func run<Value: Sendable>(
    progress: (@Sendable (Double) -> Void)? = nil,
    _ work: @escaping @Sendable (CallContext) throws -> Value
  ) async throws -> Value {
    try await CallQueue.shared.run(threads: estimator.threads, progress: progress, work)
  }

  /// The photo that a request brings: its body, or the first file of a form.
  ///
  /// - Throws: `HTTPRefusal` with status 400 for a form without a file.
  static func photo(of exchange: HTTPExchange) throws -> [UInt8] {
    let request = exchange.request
    let form = try MultipartForm(contentType: request.head.headers["content-type"])
    return try form?.file(in: request.body) ?? request.body
  }

  /// How a request's map is made.
  func pipeline(
    _ camera: CameraOptions, _ settings: MapSettings = MapSettings(),
    calibration: DepthCalibration? = nil
  ) -> DepthPipeline {
    DepthPipeline(
      estimator, settings: settings, camera: camera.setting, calibration: calibration,
      limits: limits)
  }

  /// What errors call a request's photo.
  static let name = "the photo"

  /// Decodes a photo as soon as there is memory for its whole work, and does that work.
  ///
  /// - Parameter need: The memory that it takes.
  func withPhoto<Value>(
    _ body: [UInt8], call: CallContext, need: (PhotoFile) throws -> MemoryNeed,
    _ work: (Image) throws -> Value
  ) throws -> Value {
    guard !body.isEmpty else {
      throw HTTPRefusal(.badRequest, "the file is empty, expected a JPEG or PNG photo")
    }
    let file = try PhotoFile(decoding: body, name: Self.name, limits: limits)
    let need = try need(file)
    _ = try reservations.reserve(need, for: Self.name, cancellation: call.cancellation)
    defer { reservations.release(need) }
    try call.checkpoint(0)
    return try work(file.decoded())
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
