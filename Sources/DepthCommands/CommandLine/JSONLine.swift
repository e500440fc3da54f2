import SystemEssentials

/// Encodes a value as one line of JSON, with sorted keys in snake case: `msMedian` becomes `ms_median`.
func jsonLine(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  encoder.keyEncodingStrategy = .convertToSnakeCase
  encoder.nonConformingFloatEncodingStrategy = .throw
  return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
}

/// An optional value that is encoded as JSON `null`, so that its key is not omitted.
@propertyWrapper
struct OrNull<Value: Encodable & Sendable>: Encodable, Sendable {
  var wrappedValue: Value?

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension Duration {
  /// Milliseconds, rounded to microseconds.
  var milliseconds: Double {
    let (seconds, attoseconds) = components
    return ((Double(seconds) * 1e3 + Double(attoseconds) / 1e15) * 1e3).rounded() / 1e3
  }
}

extension Double {
  /// The number with this many decimal places.
  func fixed(_ digits: Int) -> String {
    guard isFinite, abs(self) < 1e12 else { return "\(self)" }
    let unit = (0..<digits).reduce(1.0) { power, _ in power * 10 }
    let rounded = Int((abs(self) * unit).rounded())
    let text = String(rounded)
    let padded = String(repeating: "0", count: max(digits + 1 - text.count, 0)) + text
    let sign = self < 0 && rounded > 0 ? "-" : ""
    guard digits > 0 else { return sign + padded }
    return sign + padded.dropLast(digits) + "." + padded.suffix(digits)
  }
}
