import DepthImages
import DepthRefinement
import LocalHTTP
import MonocularDepth
import PictureFiles
import ProcessLimits
import SystemEssentials
import ThreadTeams

extension DepthService {
  private static let mapTypes = MediaTypes(
    offered: ["image/png", "application/x-npy", "image/x-portable-floatmap", "application/json"]
      + (DepthFileFormat.inThisBuild.contains(.exr) ? ["image/x-exr"] : []))

  /// `POST /v1/depth`: the file that `depth predict` writes, to the byte, or the line of its `--json`.
  func depth(_ exchange: HTTPExchange) async throws -> HTTPResponse {
    let head = exchange.request.head
    let type = try Self.mapTypes.best(for: head.headers["accept"])
    let query = try DepthQuery.parse(head, besides: [])
    let (bytes, photoBytes) = try await run { call in
      let body = try Self.photo(of: exchange)
      let bytes = try withPhoto(body, call: call, need: { try need(for: $0, query.refinement) }) {
        photo in
        let estimate = try estimator.estimate(
          of: photo, camera: query.camera.camera(of: photo), limits: limits, call: call)
        let depth = try query.refinement.refined(
          estimate.depth, guidedBy: photo, limits: limits, call: call)
        return try encoded(
          depth, estimate, as: type, compression: query.png.compression, call: call)
      }
      return (bytes, body.count)
    }
    guard ["image/png", "image/x-exr"].contains(type) else {
      return HTTPResponse(type: type, bytes)
    }
    let recipe = try Predict.recipe(estimator, query.refinement, query.camera)
    let note = recipe.text(photoBytes: photoBytes)
    return HTTPResponse(type: type, FileNote.adding(note, to: bytes) ?? bytes)
  }

  private func need(
    for file: PhotoFile, _ refinement: RefinementOptions
  ) throws -> MemoryNeed {
    let source = estimator.outputSize
    var (height, width) = (file.height, file.width)
    switch refinement.wantedResolution {
    case .photo: break
    case .network: (height, width) = source
    case .size(let rows, let columns): (height, width) = (rows, columns)
    }
    try limits.check(width: width, height: height, file: "the map")
    return .map(
      of: file, networkBytes: estimator.networkBytes,
      output: .init(source: source.height * source.width, height: height, width: width))
  }

  private func encoded(
    _ depth: DepthMap, _ estimate: DepthEstimate, as type: String, compression: PNGCompression,
    call: CallContext
  ) throws -> [UInt8] {
    guard depth.values.contains(where: depth.hasValue) else {
      throw HTTPRefusal(.unprocessable, "no pixel of the photo's depth map has a value")
    }
    let metadata = DepthFileMetadata(software: Version.text, weightsSHA256: weightsID)
    switch type {
    case "application/json":
      return Array(try jsonLine(record(depth, estimate, threads: call.threads)).utf8)
    case "application/x-npy": return try depth.encoded(as: .npy)
    case "image/x-exr": return try depth.encoded(as: .exr, metadata: metadata)
    case "image/x-portable-floatmap": return try depth.encoded(as: .pfm)
    default:
      return try depth.encoded(
        as: .png, metadata: metadata, compression: compression, call: call)
    }
  }

  /// What is known of a map, as `depth predict --json` prints it.
  func record(
    _ depth: DepthMap, _ estimate: DepthEstimate, threads: Int
  ) -> PredictionRecord {
    PredictionRecord(
      input: "-", outputs: [], depth: depth,
      prediction: .init(
        weights: estimator.weights.map(\.lastPathComponent), weightsID: weightsID,
        precision: estimator.precision.rawValue,
        camera: estimate.camera, mirrored: estimator.averagesMirrored, spread: estimate.spread,
        uncertainty: estimate.uncertainty),
      threads: threads, milliseconds: nil)
  }
}

extension RefinementOptions {
  /// The map as the options want it; the same bits as `refined(_:guidedBy:threads:)`.
  func refined(
    _ depth: DepthMap, guidedBy photo: Image, limits: ImageLimits, call: CallContext
  ) throws -> DepthMap {
    if refine == .none, wantedResolution == .network, !fill { return depth }
    return try depth.refined(
      guidedBy: photo,
      method: RefinementMethod(refine, detail: detail ?? JointFilter.defaultDetail),
      resolution: wantedResolution, fillsMissing: fill, limits: limits, call: call)
  }
}
