import DepthBase
import DepthImages
import DepthPhotos
import LocalHTTP
import MonocularDepth
import PictureFiles
import SystemEssentials

extension DepthService {
  /// The media type of a NumPy archive.
  private static let archive = "application/x-npz"

  /// The media types of depth maps.
  static let mapTypes = MediaTypes(
    offered: [
      "image/png", "application/x-npy", "image/x-portable-floatmap", "application/json",
      "image/x-exr", archive,
    ])

  /// `POST /v1/depth`: the file that `depth predict` writes, byte for byte. For a JSON body, the response
  /// contains JSON numbers.
  func depth(_ sent: SentRequest, call: CallContext) throws -> HTTPResponse {
    if sent.isJSON { return try numbers(sent, call: call) }
    return try map(sent, as: sent.best(of: Self.mapTypes), call: call)
  }

  /// `POST /v1/facts`: the line of `depth predict --json`.
  ///
  /// This path is separate, because generated clients decode all responses of a path in the same way.
  func facts(_ sent: SentRequest, call: CallContext) throws -> HTTPResponse {
    try map(sent, as: sent.best(of: MediaTypes(offered: ["application/json"])), call: call)
  }

  private func map(
    _ sent: SentRequest, as type: String, call: CallContext
  ) throws -> HTTPResponse {
    let request = try sent.asked(for: DepthRequest.self)
    let estimation = estimation(request.map)
    func need(of file: PhotoFile, isEstimate: Bool) throws -> MemoryNeed {
      try estimation.memoryNeed(
        type == Self.archive ? .mapWithPicture : .map, of: file, isEstimate: isEstimate)
    }
    return try withPhoto(sent.photo(), call: call, need: need) { photo in
      let made = try estimation.estimate(of: photo.image, named: Self.name, call: call)
      return HTTPResponse(
        type: type, try encoded(made, as: type, by: estimation, request, call: call),
        headers: MetresRecord(of: made, by: estimation.estimator).headers)
    }
  }

  /// - Parameter normals: Normals for an OpenEXR file.
  func encoded(
    _ made: DepthEstimate, as type: String, by estimation: MapEstimation,
    _ request: DepthRequest,
    normals: DepthMap.GivenNormals? = nil, call: CallContext
  ) throws -> [UInt8] {
    let depth = made.depth
    let metadata = DepthFileMetadata(
      software: Version.text, weightsIdentifier: try estimator.weightsIdentifier(estimation.options)
    )
    switch type {
    case "application/json":
      let record = try record(depth, made, by: estimation, request, threads: call.threads)
      return Array(try jsonLine(record).utf8)
    case "application/x-npy": return try depth.encoded(as: .npy)
    case Self.archive:
      return try depth.archive(
        beside: .beside(depth, errors: made.expectedError, camera: made.camera.known)
      ).gathered()
    case "image/x-exr":
      return try depth.encoded(as: .exr, metadata: metadata, normals: normals, call: call)
    case "image/x-portable-floatmap": return try depth.encoded(as: .pfm)
    default:
      return try depth.encoded(
        as: .png, metadata: metadata, compression: request.compression, call: call)
    }
  }

  /// Facts about a map, as `depth predict --json` prints them.
  func record(
    _ depth: DepthMap, _ estimate: DepthEstimate, by estimation: MapEstimation,
    _ request: DepthRequest? = nil, threads: Int
  ) throws -> PhotoRecord {
    try PhotoRecord(
      of: MapFacts(depth, threads: threads), input: "-", request: request, outputs: [],
      of: estimate, by: estimation, weights: estimator.weights.map(\.lastPathComponent),
      weightsID: estimator.weightsIdentifier(estimation.options))
  }
}

extension Image {
  /// The photo, reduced to at most the given number of pixels.
  func reduced(toPixels pixels: Int?, threads: Int) -> Image {
    guard let pixels, pixels < height * width else { return self }
    let scale = (Double(pixels) / Double(height * width)).squareRoot()
    return resizedLanczos(
      self, height: max(1, Int(Double(height) * scale)), width: max(1, Int(Double(width) * scale)),
      threads: threads)
  }
}
