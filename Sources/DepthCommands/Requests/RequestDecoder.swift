import DepthErrors

/// Decodes requests from pairs of a name and a value, as in queries and forms.
///
/// Names are field names with dashes; fields may be nested at any depth. A Boolean field without a value is true.
struct RequestDecoder: Decoder {
  /// A name and its value.
  typealias Pair = (name: String, value: String)

  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  fileprivate let values: [String: String]
  /// The values of fields that have no pair.
  fileprivate let defaults: [String: Any]

  private init(_ values: [String: String], defaults: any Request) {
    self.values = values
    self.defaults = Dictionary(
      uniqueKeysWithValues: Mirror(reflecting: defaults).children.map { ($0.label!, $0.value) })
  }

  /// The request for these pairs.
  ///
  /// - Throws: ``InvalidRequest`` for an unknown or repeated name, an invalid value, or an invalid request.
  static func request<Wanted: Request>(
    _ type: Wanted.Type, from pairs: [Pair]
  ) throws -> Wanted {
    let names = type.fields.map { dashed($0.name) }
    var values: [String: String] = [:]
    for (given, value) in pairs {
      let name = given.replacing("`", with: "'")
      guard values.updateValue(value, forKey: name) == nil else {
        throw InvalidRequest("the parameter \(name) is given twice, expected once")
      }
      guard names.contains(name) else {
        let hint = nearestName(to: name, among: names.sorted()).map { "; did you mean '\($0)'?" }
        throw InvalidRequest("the parameter \(name) is unknown\(hint ?? "")")
      }
    }
    return try Wanted(from: Self(values, defaults: Wanted())).checked()
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Fields(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try unsupported() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    try unsupported()
  }

  fileprivate func unsupported<Container>() throws -> Container {
    preconditionFailure("a request's fields are flags, numbers, words and requests")
  }

  /// The fields of a request or of a nested request.
  private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: RequestDecoder
    let codingPath: [any CodingKey] = []
    let allKeys: [Key] = []

    func contains(_ key: Key) -> Bool { decoder.values[dashed(key.stringValue)] != nil }
    func decodeNil(forKey key: Key) -> Bool { !contains(key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      let fallback = decoder.defaults[key.stringValue]
      if let inner = fallback as? any Request {
        return try Value(from: RequestDecoder(decoder.values, defaults: inner))
      }
      if let word = type as? any RequestWord.Type {
        return try value(key, expected: word.expected) { word.init(word: $0) as? Value }
      }
      guard let choice = type as? any RawRepresentable<String>.Type else {
        return try decoder.unsupported()
      }
      let names = (type as? any CaseIterable.Type).map { listed(choices($0)) }
      return try value(key, expected: names ?? "another word") {
        choice.init(rawValue: $0) as? Value
      }
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
      switch decoder.values[dashed(key.stringValue)] {
      case "": true
      default: try value(key, expected: "true or false") { Bool($0) }
      }
    }

    private func value<Value>(
      _ key: Key, expected: String, read: (String) -> Value?
    ) throws -> Value {
      guard let text = decoder.values[dashed(key.stringValue)] else {
        // The default is the value of the same field, so the types are equal.
        return decoder.defaults[key.stringValue] as! Value
      }
      guard !text.isEmpty else {
        throw InvalidRequest("the parameter `\(key.stringValue)` is empty, expected a value")
      }
      guard let value = read(text) else {
        let text = text.replacing("`", with: "'")
        throw InvalidRequest("`\(key.stringValue)` is '\(text)', expected \(expected)")
      }
      return value
    }

    private func number<Number: LosslessStringConvertible>(_ key: Key) throws -> Number {
      let isWhole = Number.self is any BinaryInteger.Type
      return try value(key, expected: isWhole ? "a whole number" : "a number") { Number($0) }
    }

    func decode(_: Double.Type, forKey key: Key) throws -> Double { try number(key) }
    func decode(_: Float.Type, forKey key: Key) throws -> Float { try number(key) }
    func decode(_: Int.Type, forKey key: Key) throws -> Int { try number(key) }
    func decode(_: Int8.Type, forKey key: Key) throws -> Int8 { try number(key) }
    func decode(_: Int16.Type, forKey key: Key) throws -> Int16 { try number(key) }
    func decode(_: Int32.Type, forKey key: Key) throws -> Int32 { try number(key) }
    func decode(_: Int64.Type, forKey key: Key) throws -> Int64 { try number(key) }
    func decode(_: UInt.Type, forKey key: Key) throws -> UInt { try number(key) }
    func decode(_: UInt8.Type, forKey key: Key) throws -> UInt8 { try number(key) }
    func decode(_: UInt16.Type, forKey key: Key) throws -> UInt16 { try number(key) }
    func decode(_: UInt32.Type, forKey key: Key) throws -> UInt32 { try number(key) }
    func decode(_: UInt64.Type, forKey key: Key) throws -> UInt64 { try number(key) }
    func decode(_: String.Type, forKey key: Key) -> String {
      decoder.values[dashed(key.stringValue)] ?? decoder.defaults[key.stringValue] as? String ?? ""
    }

    func nestedContainer<Inner: CodingKey>(
      keyedBy type: Inner.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> { try decoder.unsupported() }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try decoder.unsupported()
    }
    func superDecoder() throws -> any Decoder { try decoder.unsupported() }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder.unsupported() }
  }
}

/// The raw values of an enumeration of strings.
func choices(_ type: any CaseIterable.Type) -> [String] {
  func words<Choice: CaseIterable>(_ type: Choice.Type) -> [String] {
    type.allCases.compactMap { ($0 as? any RawRepresentable<String>)?.rawValue }
  }
  return words(type)
}
