/// The value of an attribute in an HDF5 file.
package enum HDF5Attribute: Hashable, Sendable {
  case text(String)
  case texts([String])
  case integers([Int])
  case numbers([Double])

  /// The text of an attribute that holds a single one.
  package var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The values of an attribute of integers.
  package var integers: [Int]? {
    if case .integers(let values) = self { values } else { nil }
  }

  /// The values of an attribute of numbers, integers included.
  package var numbers: [Double]? {
    switch self {
    case .numbers(let values): values
    case .integers(let values): values.map(Double.init)
    case .text, .texts: nil
    }
  }
}

extension HDF5Attribute: CustomStringConvertible {
  /// The value on one line, with control characters replaced.
  package var description: String {
    switch self {
    case .text(let text): "'\(Self.printable(text))'"
    case .texts(let texts): "\(texts)"
    case .integers(let values): values.count == 1 ? "\(values[0])" : "\(values)"
    case .numbers(let values): values.count == 1 ? "\(values[0])" : "\(values)"
    }
  }

  private static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map {
          $0.properties.generalCategory == .control ? "\u{FFFD}" : $0
        }))
  }
}
