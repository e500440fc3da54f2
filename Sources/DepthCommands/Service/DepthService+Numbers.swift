import DepthBase
import DepthImages
import DepthPhotos
import LocalHTTP
import MonocularDepth
import PictureFiles
import SystemEssentials

/// The JSON body of `POST /v1/depth`, with the field names of LocalAI's request.
///
/// > Source: LocalAI, OpenAPI of `/v1/depth`, `schema.DepthRequest`.
struct NumbersRequest: Decodable {
  /// Photo in base64, or as a data URI.
  let image: String
  let includeDepth, includeConfidence, includePoints, includeSky: Bool?
  /// Points with a lower confidence are omitted.
  let pointsConfThresh: Double?
  private let dst: String?
  private let exports: [String]?

  /// - Throws: `HTTPRefusal` with status 400 and the error in the body.
  init(_ body: [UInt8]) throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    do { self = try decoder.decode(Self.self, from: Data(body)) } catch DecodingError.typeMismatch(
      let type, let context) where !context.codingPath.isEmpty
    {
      let name = context.codingPath.map(\.stringValue).joined(separator: ".")
      throw Self.refusal(
        "`\(dashed(name).replacing("-", with: "_"))` has another type, expected \(Self.words(of: type))"
      )
    } catch DecodingError.dataCorrupted {
      throw Self.refusal("the body is not JSON, expected \(Self.example)")
    } catch {
      throw Self.refusal("the body is not a JSON object with `image`, expected \(Self.example)")
    }
    // A request must not make the server fetch or write anything.
    if dst?.isEmpty == false || exports?.isEmpty == false {
      throw Self.refusal("`dst` and `exports` write files on the server, expected neither")
    }
    if includeSky == true { throw Self.refusal("`include_sky` is not supported, expected false") }
    if let least = pointsConfThresh, !(0...1 ~= least) {
      throw Self.refusal("`points_conf_thresh` is \(least), expected 0 to 1")
    }
  }

  private static let example = #"{"image": "base64 of a photo", "include_depth": true}"#

  /// The name of a type in messages about JSON.
  private static func words(of type: Any.Type) -> String {
    switch type {
    case is Bool.Type: "true or false"
    case is Double.Type: "a number"
    case is String.Type: "a text"
    default: "a list of strings"
    }
  }

  static func refusal(_ text: String) -> HTTPRefusal { HTTPRefusal(.badRequest, text) }

  /// Decodes the photo.
  ///
  /// - Throws: `HTTPRefusal` with status 400 for a URL, and for text that is not base64.
  func photo() throws -> [UInt8] {
    var text = image[...]
    if text.hasPrefix("data:"), let comma = text.firstIndex(of: ",") {
      text = text[text.index(after: comma)...]
    } else if text.contains("://") {
      throw Self.refusal("`image` is an address, expected the photo itself as base64")
    }
    if text.contains(where: \.isWhitespace) { text = text.filter { !$0.isWhitespace }[...] }
    guard let data = Data(base64Encoded: String(text)) else {
      throw Self.refusal("`image` is not base64, expected the photo as base64")
    }
    return Array(data)
  }
}

extension DepthService {
  /// `POST /v1/depth` with a JSON body: the depth as JSON numbers.
  func numbers(_ sent: SentRequest, call: CallContext) throws -> HTTPResponse {
    _ = try sent.best(of: MediaTypes(offered: ["application/json"]))
    let wanted = try NumbersRequest(sent.photo())
    let estimation = estimation(try sent.asked(for: DepthRequest.self).map)
    let hasPoints = wanted.includePoints == true
    let needsErrors =
      wanted.includeConfidence == true || hasPoints && wanted.pointsConfThresh != nil
    if needsErrors { try estimator.requireErrors() }
    if hasPoints { try estimation.unit.requireMetric(for: "include_points") }
    func need(of file: PhotoFile, isEstimate: Bool) throws -> MemoryNeed {
      let need = try estimation.memoryNeed(.map, of: file, isEstimate: isEstimate)
      let result = try estimation.options.size(
        photo: (file.height, file.width),
        map: estimation.estimator.mapSize(
          height: file.height, width: file.width, options: estimation.options), named: "the map")
      return MemoryNeed(
        bytes: need.bytes + DepthNumbers.bytesPerPixel(wanted) * result.height * result.width)
    }
    return try withPhoto(wanted.photo(), call: call, need: need) { photo in
      let made = try estimation.estimate(of: photo.image, named: Self.name, call: call)
      let errors = needsErrors ? try estimator.requireErrors(made.expectedError) : nil
      let numbers = DepthNumbers(
        made, photo: photo.image, confidence: errors, of: wanted, threads: call.threads)
      return HTTPResponse(
        type: "application/json", numbers.text,
        headers: MetresRecord(of: made, by: estimation.estimator).headers)
    }
  }
}

/// The response to a ``NumbersRequest``, with LocalAI's field names.
///
/// > Source: LocalAI, OpenAPI of `/v1/depth`, `schema.DepthResponse`.
struct DepthNumbers {
  /// Maximum bytes per pixel: a number has up to 15 characters and a comma, and a color in base64 has four.
  fileprivate static func bytesPerPixel(_ wanted: NumbersRequest) -> Int {
    (wanted.includeDepth ?? true ? 16 : 0) + (wanted.includeConfidence == true ? 16 : 0)
      + (wanted.includePoints == true ? 3 * 16 + 4 : 0)
  }

  private(set) var text: [UInt8] = []

  fileprivate init(
    _ estimate: DepthEstimate, photo: Image, confidence errors: ErrorMap?,
    of wanted: NumbersRequest, threads: Int
  ) {
    let depth = estimate.depth
    let (height, width) = (depth.height, depth.width)
    let confidence = errors?.resized(height: height, width: width).confidence
    let k = estimate.camera.camera.matrix(height: height, width: width)
    text.reserveCapacity(Self.bytesPerPixel(wanted) * height * width + 1000)
    text += Array(
      #"{"width":\#(width),"height":\#(height),"is_metric":\#(depth.unit == .metres)"#.utf8)
    append("intrinsics", k)
    append("extrinsics", [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0])
    if wanted.includeDepth ?? true {
      append("depth", depth.values.lazy.map { depth.hasValue($0) ? $0 : 0 })
    }
    if wanted.includeConfidence == true, let confidence { append("confidence", confidence) }
    if wanted.includePoints == true {
      let least = Float(wanted.pointsConfThresh ?? 0)
      let pixels = depth.values.indices.filter { pixel in
        depth.hasValue(depth.values[pixel]) && (confidence.map { $0[pixel] >= least } ?? true)
      }
      append(
        "points",
        pixels.lazy.flatMap { pixel -> [Float] in
          let (y, x) = pixel.quotientAndRemainder(dividingBy: width)
          let z = Double(depth.values[pixel])
          return [
            Float((Double(x) - k[2]) / k[0] * z),
            Float((Double(y) - k[5]) / k[4] * z),
            Float(z),
          ]
        })
      let picture = areaAveraged(photo, height: height, width: width, threads: threads)
      let colors = Data(pixels.flatMap { picture.pixels[3 * $0..<3 * $0 + 3] })
      text += Array(
        #","num_points":\#(pixels.count),"point_colors":"\#(colors.base64EncodedString())""#.utf8)
    }
    text += Array("}\n".utf8)
  }

  /// Appends a named array of finite numbers.
  private mutating func append(
    _ name: String, _ numbers: some Sequence<some LosslessStringConvertible>
  ) {
    text += Array(",\"\(name)\":[".utf8)
    var isFirst = true
    for number in numbers {
      if !isFirst { text.append(UInt8(ascii: ",")) }
      text += number.description.utf8
      isFirst = false
    }
    text.append(UInt8(ascii: "]"))
  }
}
