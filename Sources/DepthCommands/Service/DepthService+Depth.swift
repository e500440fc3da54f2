import DepthBase
import DepthImages
import DepthPipeline
import DepthRequests
import LocalHTTP
import MonocularDepth
import PictureFiles
import SystemEssentials

extension DepthService {
  /// The forms of a depth map that this build gives.
  static let mapTypes = MediaTypes(
    offered: [
      "image/png", "application/x-npy", "image/x-portable-floatmap", "application/json",
      "image/x-exr",
    ])

  /// `POST /v1/depth`: the file that `depth predict` writes, to the byte, or the line of its `--json`.
  func depth(_ exchange: HTTPExchange) throws -> HTTPResponse {
    let type = try Self.mapTypes.best(for: exchange.request.head.headers["accept"])
    let request = try exchange.request.asked(for: DepthRequest.self)
    let pipeline = pipeline(request.map)
    let bytes = try run(exchange) { call in
      try withPhoto(
        Self.photo(of: exchange), call: call, need: { try pipeline.memoryNeed(.map, of: $0) }
      ) { photo in
        let made = try pipeline.map(of: photo, named: Self.name, call: call)
        return try encoded(made, as: type, by: pipeline, request, call: call)
      }
    }
    return HTTPResponse(type: type, bytes)
  }

  private func encoded(
    _ made: DepthPipeline.Result, as type: String, by pipeline: DepthPipeline,
    _ request: DepthRequest, call: CallContext
  ) throws -> [UInt8] {
    let depth = made.depth
    let metadata = DepthFileMetadata(software: Version.text, weightsSHA256: weightsID)
    switch type {
    case "application/json":
      var record = record(depth, made.estimate, by: pipeline, threads: call.threads)
      record.request = request
      return Array(try jsonLine(record).utf8)
    case "application/x-npy": return try depth.encoded(as: .npy)
    case "image/x-exr": return try depth.encoded(as: .exr, metadata: metadata)
    case "image/x-portable-floatmap": return try depth.encoded(as: .pfm)
    default:
      return try depth.encoded(
        as: .png, metadata: metadata, compression: request.compression, call: call)
    }
  }

  /// What is known of a map, as `depth predict --json` prints it.
  func record(
    _ depth: DepthMap, _ estimate: DepthEstimate, by pipeline: DepthPipeline, threads: Int
  ) -> PredictionRecord {
    PredictionRecord(
      input: "-", outputs: [], depth: depth,
      prediction: .init(
        estimate, by: estimator, weights: estimator.weights.map(\.lastPathComponent),
        weightsID: weightsID, setting: pipeline.camera, calibration: pipeline.calibration),
      threads: threads, milliseconds: nil)
  }
}
