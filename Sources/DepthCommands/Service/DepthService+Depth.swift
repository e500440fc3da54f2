import DepthBase
import DepthImages
import DepthPhotos
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

  /// `POST /v1/depth`: the file that `depth predict` writes, to the byte.
  func depth(_ sent: SentRequest, call: CallContext) throws -> HTTPResponse {
    try map(sent, as: sent.best(of: Self.mapTypes), call: call)
  }

  /// `POST /v1/facts`: the line of `depth predict --json`. A path of its own, because generated clients decode the answers of a path
  /// in one way.
  func facts(_ sent: SentRequest, call: CallContext) throws -> HTTPResponse {
    try map(sent, as: sent.best(of: MediaTypes(offered: ["application/json"])), call: call)
  }

  private func map(
    _ sent: SentRequest, as type: String, call: CallContext
  ) throws -> HTTPResponse {
    let request = try sent.asked(for: DepthRequest.self)
    let pipeline = pipeline(request.map)
    func need(of file: PhotoFile, isEstimate: Bool) throws -> MemoryNeed {
      try pipeline.memoryNeed(.map, of: file, isEstimate: isEstimate)
    }
    return try withPhoto(sent.photo(), call: call, need: need) { photo in
      let made = try pipeline.estimate(of: photo.image, named: Self.name, call: call)
      return HTTPResponse(
        type: type, try encoded(made, as: type, by: pipeline, request, call: call),
        headers: MetresRecord(of: made, by: pipeline.estimator).headers)
    }
  }

  private func encoded(
    _ made: DepthEstimate, as type: String, by pipeline: MapEstimation,
    _ request: DepthRequest, call: CallContext
  ) throws -> [UInt8] {
    let depth = made.depth
    let metadata = DepthFileMetadata(
      software: Version.text, weightsSHA256: try estimator.weightsSHA256(pipeline.options))
    switch type {
    case "application/json":
      let record = try record(depth, made, by: pipeline, request, threads: call.threads)
      return Array(try jsonLine(record).utf8)
    case "application/x-npy": return try depth.encoded(as: .npy)
    case "image/x-exr": return try depth.encoded(as: .exr, metadata: metadata)
    case "image/x-portable-floatmap": return try depth.encoded(as: .pfm)
    default:
      return try depth.encoded(
        as: .png, metadata: metadata, compression: request.compression, call: call)
    }
  }

  /// Facts about a map, as `depth predict --json` prints them.
  func record(
    _ depth: DepthMap, _ estimate: DepthEstimate, by pipeline: MapEstimation,
    _ request: DepthRequest? = nil, threads: Int
  ) throws -> PhotoRecord {
    try PhotoRecord(
      of: MapFacts(depth, threads: threads), input: "-", request: request, outputs: [],
      of: estimate, by: pipeline, weights: estimator.weights.map(\.lastPathComponent),
      weightsID: estimator.weightsSHA256(pipeline.options))
  }
}

extension Image {
  /// The photo, or one of at most so many pixels.
  func reduced(toPixels pixels: Int?, threads: Int) -> Image {
    guard let pixels, pixels < height * width else { return self }
    let scale = (Double(pixels) / Double(height * width)).squareRoot()
    return resizedLanczos(
      self, height: max(1, Int(Double(height) * scale)), width: max(1, Int(Double(width) * scale)),
      threads: threads)
  }
}

/// The formats of an answer, and the one that a client accepts.
struct MediaTypes {
  /// The types that the server offers, in the order of its preference.
  let offered: [String]

  /// The best offer that an `Accept` header takes: by the highest quality, then by the order of offers.
  ///
  /// - Parameter accept: The header; without one, or with an empty list, anything will do.
  /// - Throws: `HTTPRefusal` with status 406.
  ///
  /// > Source: RFC 9110, “HTTP Semantics,” section 12.5.1.
  func best(for accept: String?) throws(HTTPRefusal) -> String {
    let listed = (accept ?? "").split(separator: ",").filter { !$0.allSatisfy(\.isWhitespace) }
    let ranges = (listed.isEmpty ? ["*/*"] : listed).map { Self.range(String($0)) }
    var best: (type: String, quality: Double)?
    for type in offered {
      // The most exact range decides, not the highest quality.
      let quality =
        ranges.filter { $0.matches(type) }.max { $0.exactness < $1.exactness }?.quality ?? 0
      if quality > best?.quality ?? 0 { best = (type, quality) }
    }
    guard let best else {
      throw HTTPRefusal(
        .notAcceptable, "expected Accept with \(offered.joined(separator: ", "))")
    }
    return best.type
  }

  private struct Range {
    let type: String
    let quality: Double

    var exactness: Int { type == "*/*" ? 0 : type.hasSuffix("/*") ? 1 : 2 }

    func matches(_ offer: String) -> Bool {
      type == "*/*" || type == offer
        || type.hasSuffix("/*") && offer.hasPrefix(type.dropLast())
    }
  }

  private static func range(_ text: String) -> Range {
    let parts = text.split(separator: ";").map { String($0).trimmingSpaces.lowercased() }
    let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
    return Range(type: parts.first ?? "", quality: quality ?? 1)
  }
}
