/// Reading settings from JSON and other coders: missing keys take their defaults, unknown keys and values that make
/// no sense are errors at their place.
extension Decoder {
  /// The object's values, whose keys are all known.
  ///
  /// - Throws: `DecodingError` that names the first unknown key and the known ones.
  package func settings(
    _ keys: [SettingsObject.CodingKeys]
  ) throws -> KeyedDecodingContainer<SettingsObject.CodingKeys> {
    let values = try container(keyedBy: SettingsObject.CodingKeys.self)
    let known = keys.map(\.stringValue)
    if let other = values.allKeys.map(\.stringValue).sorted().first(where: { !known.contains($0) })
    {
      throw damaged("has the key '\(other)', expected \(known.joined(separator: ", "))")
    }
    return values
  }

  /// The object's values, and the name of the only key that it has.
  ///
  /// - Throws: `DecodingError` with the known keys.
  package func choice(
    of keys: [SettingsObject.CodingKeys]
  ) throws -> (key: SettingsObject.CodingKeys, KeyedDecodingContainer<SettingsObject.CodingKeys>) {
    let values = try settings(keys)
    guard values.allKeys.count == 1, let key = values.allKeys.first else {
      let known = keys.map(\.stringValue).joined(separator: ", ")
      throw damaged("has \(values.allKeys.count) keys, expected one of \(known)")
    }
    return (key, values)
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

/// The objects that settings are in JSON.
package enum SettingsObject {
  /// A key, by its name there. Errors print the name of this type, as if the compiler had made it.
  package struct CodingKeys: CodingKey, ExpressibleByStringLiteral {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(stringValue: String) { self.stringValue = stringValue }

    package init(stringLiteral name: String) { stringValue = name }

    package init?(intValue: Int) { nil }
  }
}

extension Encoder {
  /// Writes a text.
  package func encode(text: String) throws {
    var container = singleValueContainer()
    try container.encode(text)
  }
}

extension DepthError.Code: Codable {}
