/// Reading settings from JSON and other coders: missing keys take their defaults, unknown keys and values that make
/// no sense are errors at their place.
extension Decoder {
  /// The object's keys, none of which is unknown.
  ///
  /// - Throws: `DecodingError` that names the first unknown key and the known ones.
  package func settings<Key: CodingKey & CaseIterable>(
    _: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    let found = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    let known = Key.allCases.map(\.stringValue)
    if let other = found.sorted().first(where: { !known.contains($0) }) {
      throw damaged("has the key '\(other)', expected \(known.joined(separator: ", "))")
    }
    return try container(keyedBy: Key.self)
  }

  /// Runs a check of what was decoded.
  ///
  /// - Throws: `DecodingError` with the text and the error that `check` throws.
  package func checking(_ check: () throws -> Void) throws {
    do { try check() } catch { throw damaged("\(error)", error) }
  }

  /// The value that a text names.
  ///
  /// - Throws: `DecodingError` with the known names.
  package func named<Value>(
    _ what: String, _ names: [String], _ value: (String) -> Value?
  ) throws -> Value {
    let name = try singleValueContainer().decode(String.self)
    guard let found = value(name) else {
      throw damaged("\(what) is '\(name)', expected \(names.joined(separator: ", "))")
    }
    return found
  }

  /// An error at this decoder's place.
  package func damaged(_ reason: String, _ cause: (any Error)? = nil) -> DecodingError {
    .dataCorrupted(
      .init(codingPath: codingPath, debugDescription: reason, underlyingError: cause))
  }
}

extension KeyedDecodingContainer {
  /// The value of a key, or a default where it is missing or null.
  package func value<Value: Decodable>(_ key: Key, default standard: Value) throws -> Value {
    try decodeIfPresent(Value.self, forKey: key) ?? standard
  }
}

/// Any key of an object.
private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init?(stringValue: String) { self.stringValue = stringValue }

  init?(intValue: Int) { nil }
}

extension DepthError.Code: Codable {}
