import DepthEffects

/// A value written as one word, such as `640x480` or `2/8`.
protocol ArgumentWord {
  /// The accepted words, for messages.
  static var expected: String { get }

  /// - Returns: `nil` for a word that is not accepted.
  init?(word: String)

  /// The words that are accepted instead of an invalid word, for messages.
  static func expectation(for word: String) -> String
}

extension ArgumentWord {
  static func expectation(for word: String) -> String { "expected \(expected)" }
}

/// A word that requests and records also store, such as `26mm`, `f/1.8` or `2x1`.
protocol RequestWord: ArgumentWord, Codable, Hashable, Sendable {
  /// The word as written.
  var word: String { get }
}

extension RequestWord {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let word = try container.decode(String.self)
    guard let value = Self(word: word) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(word)', \(Self.expectation(for: word))")
    }
    self = value
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(word)
  }
}

/// A number with a unit, as written: `63mm`, `1.5%` or `2`.
struct Quantity: Sendable, Equatable {
  /// The number as written, which is finite.
  let number: Double
  /// The name of the unit as written; empty for a number without a unit.
  let unit: String
  /// Number of these units per base unit.
  let parts: Double

  /// The number in the base unit.
  ///
  /// Division by 100 keeps the written digits, while a product with 0.01 may have fifteen digits.
  var value: Double { number / parts }

  /// Parses a number with or without a unit.
  ///
  /// - Parameters:
  ///   - text: A finite number that `Double(_:)` accepts, followed by a unit without a space.
  ///   - units: Names of units, each with the number of units per base unit: `["cm": 100, "m": 1]` reads metres. If the
  ///     text ends in several of the names, the longest is the unit.
  ///   - bare: The number per base unit for a number without a unit; `nil` if a unit is required.
  /// - Returns: `nil` for any other text.
  init?(_ text: String, units: KeyValuePairs<String, Double>, bare: Double?) {
    let unit = units.filter { text.hasSuffix($0.key) }.max { $0.key.count < $1.key.count }
    guard let parts = unit?.value ?? bare,
      let number = Double(text.dropLast(unit?.key.count ?? 0)), number.isFinite
    else { return nil }
    (self.number, self.unit, self.parts) = (number, unit?.key ?? "", parts)
  }
}

/// A positive length such as `63mm`, `6.3cm` or `2.5m`; a number without a unit is in metres.
struct Length: RequestWord {
  static let expected = "a length such as 63mm, 6.3cm or 2.5m"
  let word: String
  let metres: Double

  init?(word: String) {
    guard let length = Quantity(word, units: ["mm": 1000, "cm": 100, "m": 1], bare: 1),
      length.value > 0
    else { return nil }
    (self.word, metres) = (word, length.value)
  }
}

/// A share such as `1%` or `0.01`.
struct Share: RequestWord {
  static let expected = "a share such as 1% or 0.01"
  let word: String
  let value: Double

  init?(word: String) {
    guard let share = Quantity(word, units: ["%": 100], bare: 1) else { return nil }
    (self.word, value) = (word, share.value)
  }
}

/// An f-number such as `f/1.8` or `1.8`.
struct FNumber: RequestWord {
  static let expected = "an aperture from f/0.1 to f/100"
  let word: String
  let value: Double

  init?(word: String) {
    let number = word.hasPrefix("f/") ? String(word.dropFirst(2)) : word
    guard let value = Double(number), Lens.fNumbers.contains(value) else { return nil }
    (self.word, self.value) = (word, value)
  }
}
