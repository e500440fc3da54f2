/// A value that is written as one word: `26mm`, `f/1.8` or `2x1`.
package protocol RequestWord: Codable, Hashable, Sendable {
  /// What a word may be, for messages.
  static var expected: String { get }

  /// The word, as it was written.
  var word: String { get }

  /// - Returns: `nil` for another word than expected.
  init?(word: String)
}

extension RequestWord {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let word = try container.decode(String.self)
    guard let value = Self(word: word) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(word)', expected \(Self.expected)")
    }
    self = value
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(word)
  }
}
