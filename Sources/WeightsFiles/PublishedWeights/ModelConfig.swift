import DepthErrors

/// A value of the configuration beside a state dict.
indirect enum ModelConfig: Sendable, Equatable {
  case none
  case integer(Int)
  case text(String)
  case list([ModelConfig])
  case dictionary([String: ModelConfig])

  /// Maximum number of values. A short pickle can describe a very long configuration, because lists may refer to other
  /// lists.
  private static let most = 10_000

  /// - Throws: ``PickleReader/Fault`` for an unsupported value, and for too many values.
  init(_ value: PickledValue) throws(PickleReader.Fault) {
    var count = 0
    self = try Self.converted(value, &count)
  }

  private static func converted(
    _ value: PickledValue, _ count: inout Int
  ) throws(PickleReader.Fault) -> ModelConfig {
    count += 1
    guard count <= most else { throw .damaged("a configuration of more than \(most) values") }
    switch value {
    case .none, .flag, .other: return .none
    case .integer(let number): return .integer(number)
    case .text(let text): return .text(text)
    case .tuple(let values, _):
      var list: [ModelConfig] = []
      for value in values { list.append(try converted(value, &count)) }
      return .list(list)
    case .container(let container):
      guard container.isDictionary else {
        var list: [ModelConfig] = []
        for item in container.items { list.append(try converted(item.value, &count)) }
        return .list(list)
      }
      var entries: [String: ModelConfig] = [:]
      for item in container.items {
        if case .text(let key) = item.key { entries[key] = try converted(item.value, &count) }
      }
      return .dictionary(entries)
    case .name, .storage, .tensor: throw .damaged("a configuration that holds tensors")
    }
  }

  /// The value for a key; `nil` for a missing key, and for a value that is not a dictionary.
  subscript(key: String) -> ModelConfig? {
    if case .dictionary(let entries) = self { entries[key] } else { nil }
  }

  var integers: [Int]? {
    guard case .list(let values) = self else { return nil }
    let integers = values.compactMap { if case .integer(let number) = $0 { number } else { nil } }
    return integers.count == values.count ? integers : nil
  }
}

extension ModelConfig: CustomStringConvertible {
  /// The value in Python's notation, for errors.
  var description: String {
    switch self {
    case .none: "None"
    case .integer(let number): "\(number)"
    case .text(let text): "'\(text.prefix(40))'"
    case .list(let values):
      "[\(values.prefix(8).map(\.description).joined(separator: ", "))\(values.count > 8 ? ", …" : "")]"
    case .dictionary: "a dictionary"
    }
  }
}
