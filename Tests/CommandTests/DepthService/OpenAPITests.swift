import DepthGeometry
import Foundation
import Testing

@testable import DepthCommands

/// The server's OpenAPI description matches the accepted requests.
@Suite struct OpenAPITests {
  private static let requests: [(path: String, type: any Request.Type)] = [
    ("/v1/depth", DepthRequest.self), ("/v1/facts", DepthRequest.self),
    ("/v1/normals", NormalsQuery.self), ("/v1/stereo", StereoQuery.self),
    ("/v1/effect", EffectQuery.self), ("/v1/export", ExportQuery.self),
    ("/v1/photos", CameraRequest.self),
  ]

  /// A parameter of the description.
  private struct Parameter {
    let name: String
    let schema: [String: Any]

    var type: String? { schema["type"] as? String }
    var words: [String]? { schema["enum"] as? [String] }
    var bounds: [Double] {
      ["minimum", "maximum"].compactMap { (schema[$0] as? NSNumber)?.doubleValue }
    }
  }

  private func parameters(of path: String) throws -> [Parameter] {
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(DepthPage.openAPI())) as? [String: Any])
    func at(_ keys: String...) throws -> Any {
      try keys.reduce(root as Any) { object, key in
        try #require((object as? [String: Any])?[key], "\(keys)")
      }
    }
    let references = try #require(
      try at("paths", path, "post", "parameters") as? [[String: String]])
    return try references.map { reference in
      let name = try #require(reference["$ref"]?.split(separator: "/").last.map(String.init))
      let parameter = try #require(
        try at("components", "parameters", name) as? [String: Any])
      return Parameter(
        name: try #require(parameter["name"] as? String),
        schema: try #require(parameter["schema"] as? [String: Any]))
    }
  }

  @Test("the description has the fields of each request", arguments: requests.indices)
  func itHasTheFieldsOfEachRequest(index: Int) throws {
    let (path, type) = Self.requests[index]
    let parameters = try parameters(of: path)
    #expect(parameters.map(\.name).sorted() == type.fields.map { dashed($0.name) }.sorted())
    for field in type.fields {
      let parameter = try #require(parameters.first { $0.name == dashed(field.name) })
      switch field.type {
      case is Bool.Type: #expect(parameter.type == "boolean", "\(field.name)")
      case is Int.Type: #expect(parameter.type == "integer", "\(field.name)")
      case is Double.Type, is Float.Type: #expect(parameter.type == "number", "\(field.name)")
      default: #expect(parameter.type == "string", "\(field.name)")
      }
      if let choice = field.type as? any (RawRepresentable<String> & CaseIterable).Type {
        // Some formats of exports are several files.
        let files = ["obj", "nerfstudio", "colmap"]
        let words = choices(choice).filter { field.name != "format" || !files.contains($0) }
        #expect(parameter.words.map(Set.init) == Set(words), "\(field.name)")
      }
      let standard =
        switch field.value.base {
        case let flag as Bool: "\(flag)"
        case let word as any RequestWord: word.word
        case let choice as any RawRepresentable<String>: choice.rawValue
        case let number as any Numeric: "\(number)"
        default: ""
        }
      // A field without a fixed default may have a default that depends on other fields.
      guard !standard.isEmpty else { continue }
      let told = try #require(parameter.schema["default"], "\(field.name)")
      if let number = Double(standard) {
        #expect((told as? NSNumber)?.doubleValue == number, "\(field.name)")
      } else {
        #expect((told as? String ?? "\(told as? Bool ?? false)") == standard, "\(field.name)")
      }
    }
  }

  /// Numbers at both ends of a range are accepted. Numbers beyond are refused for their range.
  @Test("the description has the limits of each request", arguments: requests.indices)
  func itHasTheLimitsOfEachRequest(index: Int) throws {
    let (path, type) = Self.requests[index]
    /// Whether a value is refused for itself, not because of other fields.
    func isRefused<Wanted: Request>(_ type: Wanted.Type, _ name: String, _ value: String) -> Bool {
      do {
        _ = try RequestDecoder.request(type, from: [(name, value)])
        return false
      } catch {
        let text = (error as? InvalidRequest)?.text(dashed) ?? "\(error)"
        return text.hasPrefix("\(name) is ")
      }
    }
    for parameter in try parameters(of: path) where parameter.bounds.count == 2 {
      let isWhole = parameter.type == "integer"
      for (bound, step) in zip(parameter.bounds, [-1.0, 1]) {
        let inside = isWhole ? "\(Int(bound))" : "\(bound)"
        let outside = isWhole ? "\(Int(bound + step))" : "\(bound + step * 0.0009)"
        let refused = (
          isRefused(type, parameter.name, inside), isRefused(type, parameter.name, outside)
        )
        #expect(refused == (false, true), "\(parameter.name)")
      }
    }
  }
}
