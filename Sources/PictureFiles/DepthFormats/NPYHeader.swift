/// The Python dictionary at the start of a NumPy file, in its allowed variations.
struct NPYHeader: Equatable {
  /// NumPy's type string, such as `<f4`.
  let type: String
  let isFortranOrder: Bool
  let shape: [Int]
  /// Whether a comment marks the numbers as relative disparity.
  let isRelative: Bool

  /// The comment that marks relative disparity. NumPy reads the header as a Python literal, in which
  /// comments are allowed.
  static let relativeComment = "# unit: relative-disparity"

  /// Fails if a key is missing or its spelling differs from NumPy's.
  init?(_ text: String) {
    isRelative = text.contains("} \(Self.relativeComment)")
    let text = text.filter { !$0.isWhitespace }
    guard let type = Self.value("descr", in: text), let quote = type.first,
      quote == "'" || quote == "\"", let typeEnd = type.dropFirst().firstIndex(of: quote),
      let order = Self.value("fortran_order", in: text),
      order.hasPrefix("True") || order.hasPrefix("False"),
      let list = Self.value("shape", in: text), list.hasPrefix("("),
      let listEnd = list.firstIndex(of: ")")
    else { return nil }
    self.type = String(type[..<typeEnd].dropFirst())
    isFortranOrder = order.hasPrefix("True")
    let sides = list[..<listEnd].dropFirst().split(separator: ",").map { Int($0) ?? -1 }
    guard sides.allSatisfy({ $0 >= 0 }) else { return nil }
    shape = sides
  }

  /// The text after `'key':`.
  private static func value(_ key: String, in text: String) -> Substring? {
    ["'\(key)':", "\"\(key)\":"].lazy
      .compactMap { text.firstRange(of: $0) }.first
      .map { text[$0.upperBound...] }
  }

  /// The decoder of the numbers; `nil` for types that cannot store depth.
  var decoder: NumberDecoder? {
    guard let mark = type.first,
      let element = NumberDecoder.Element(rawValue: String(type.dropFirst()))
    else { return nil }
    return switch mark {
    case "<": NumberDecoder(element: element, order: .little)
    case ">": NumberDecoder(element: element, order: .big)
    case "|" where element.size == 1: NumberDecoder(element: element, order: .little)
    default: nil
    }
  }

  /// Height and width, after leading and then trailing axes of length 1 are dropped.
  var sides: (height: Int, width: Int)? {
    var shape = shape[...]
    while shape.count > 2, shape.first == 1 { shape.removeFirst() }
    while shape.count > 2, shape.last == 1 { shape.removeLast() }
    return shape.count == 2 ? (shape[shape.startIndex], shape[shape.startIndex + 1]) : nil
  }
}
