/// The value of an attribute in an HDF5 file.
package enum HDF5Attribute: Hashable, Sendable {
  case text(String)
  case texts([String])
  case integers([Int])
  case numbers([Double])

  /// The text of an attribute with a single text.
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

extension HDF5File {
  /// The existing attributes of a description that contain text, integers or floats, as one value or a list.
  ///
  /// - Throws: `DepthError` with code `damaged` if an attribute is damaged; with code `unsupportedFormat` if an
  ///   attribute is longer than ``HDF5Limits/attributeBytes`` or has text of variable length.
  package func attributes(in description: HDF5Description) throws -> [String: HDF5Attribute] {
    var values: [String: HDF5Attribute] = [:]
    for facts in description.facts where facts.isAttribute {
      switch facts.kind {
      case .absent: break
      case .attribute: values[facts.path] = try attribute(facts)
      default: throw damaged("attribute '\(facts.path)'", facts.cause)
      }
    }
    return values
  }

  private func attribute(_ facts: HDF5Facts) throws -> HDF5Attribute? {
    let what = "attribute '\(facts.path)'"
    guard !facts.isNull else { return nil }
    let shape = try extents(of: facts, what)
    let count = shape.reduce(1, *)
    if case .text(nil) = facts.elementType {
      throw unsupported("\(what) is text of variable length, expected text of fixed length")
    }
    let (bytes, overflow) = UInt64(count).multipliedReportingOverflow(by: facts.elementBytes)
    guard !overflow, bytes <= HDF5Limits.attributeBytes else {
      throw unsupported("\(what) is longer than \(HDF5Limits.attributeBytes) bytes")
    }
    guard shape.count <= 1, count > 0 else { return nil }
    switch facts.elementType {
    case .integer:
      return .integers(try words(facts, count, what).map { Int(Int64(bitPattern: $0)) })
    case .float16, .float32, .float64:
      return .numbers(try words(facts, count, what).map { Double(bitPattern: $0) })
    case .text(let bytes?):
      guard bytes > 0, facts.data.count == count * bytes else { throw damaged(what) }
      let strings = Self.strings(facts.data, bytes: bytes)
      return shape.isEmpty ? .text(strings[0]) : .texts(strings)
    case .text(nil), .other:
      return nil
    }
  }

  /// An attribute's values as 64-bit words in this machine's byte order.
  private func words(_ facts: HDF5Facts, _ count: Int, _ what: String) throws -> [UInt64] {
    guard facts.data.count == count * 8 else { throw damaged(what) }
    return unsafe facts.data.withUnsafeBytes { bytes in
      (0..<count).map { unsafe bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
    }
  }

  /// Splits text into strings of `bytes` bytes each. A string ends at the first zero byte. Trailing spaces,
  /// Fortran's padding, are removed.
  static func strings(_ values: [UInt8], bytes: Int) -> [String] {
    stride(from: 0, to: values.count, by: bytes).map { start in
      var text = values[start..<start + bytes].prefix { $0 != 0 }
      while text.last == UInt8(ascii: " ") { text.removeLast() }
      return String(decoding: text, as: UTF8.self)
    }
  }
}
