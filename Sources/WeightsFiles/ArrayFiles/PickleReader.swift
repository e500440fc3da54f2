import DepthBase

/// A reader of state-dict pickles that supports only the necessary opcodes.
///
/// No opcode calls a function. Only the names of functions that PyTorch uses for tensors are accepted.
///
/// > Source: CPython, Lib/pickletools.py (protocols 2 to 4); PyTorch, torch/serialization.py and torch/_utils.py.
struct PickleReader {
  /// The reason why a pickle is rejected.
  enum Fault: Error {
    case damaged(String)
    /// A name that does not occur in state dicts.
    case foreign(String)
  }

  /// Maximum nesting depth of tuples and containers.
  static let deepest = 16

  private let bytes: [UInt8]
  private var at = 0
  private var stack: [PickledValue] = []
  /// The stack's height at each mark.
  private var marks: [Int] = []
  private var memo: [Int: PickledValue] = [:]

  /// Decodes the value of a pickle.
  ///
  /// - Throws: ``Fault``.
  static func value(of bytes: [UInt8]) throws(Fault) -> PickledValue {
    var reader = PickleReader(bytes: bytes)
    return try reader.run()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func run() throws(Fault) -> PickledValue {
    while true {
      let opcode = UInt8(try number(1))
      if opcode == UInt8(ascii: ".") { return try pop() }
      if try constant(opcode) { continue }
      if try collection(opcode) { continue }
      if try memory(opcode) { continue }
      guard try object(opcode) else { throw .foreign("the opcode \(opcode)") }
    }
  }

  // MARK: - Opcodes

  /// Pushes numbers and texts.
  private mutating func constant(_ opcode: UInt8) throws(Fault) -> Bool {
    switch opcode {
    case UInt8(ascii: "N"): stack.append(.none)
    case 0x88, 0x89: stack.append(.flag(opcode == 0x88))
    case UInt8(ascii: "K"): stack.append(.integer(try number(1)))
    case UInt8(ascii: "M"): stack.append(.integer(try number(2)))
    case UInt8(ascii: "J"): stack.append(.integer(Int(Int32(truncatingIfNeeded: try number(4)))))
    case 0x8A: stack.append(try long())
    case UInt8(ascii: "G"):
      _ = try take(8)
      stack.append(.other)
    case UInt8(ascii: "X"): stack.append(.text(try text(try number(4))))
    case 0x8C: stack.append(.text(try text(try number(1))))
    case 0x8D: stack.append(.text(try text(try number(8))))
    default: return false
    }
    return true
  }

  /// Builds tuples, lists and dictionaries.
  private mutating func collection(_ opcode: UInt8) throws(Fault) -> Bool {
    switch opcode {
    case UInt8(ascii: "("): marks.append(stack.count)
    case UInt8(ascii: ")"): try pushTuple([])
    case 0x85, 0x86, 0x87: try pushTuple(try pop(Int(opcode) - 0x84))
    case UInt8(ascii: "t"): try pushTuple(try popToMark())
    case UInt8(ascii: "}"): stack.append(.container(PickledContainer(isDictionary: true)))
    case UInt8(ascii: "]"): stack.append(.container(PickledContainer(isDictionary: false)))
    case UInt8(ascii: "s"): try setItems(try pop(2))
    case UInt8(ascii: "u"): try setItems(try popToMark())
    case UInt8(ascii: "a"): try append(try pop(1))
    case UInt8(ascii: "e"): try append(try popToMark())
    default: return false
    }
    return true
  }

  /// Accesses the memo, and skips opcodes without effect.
  private mutating func memory(_ opcode: UInt8) throws(Fault) -> Bool {
    switch opcode {
    case 0x80:
      guard (2...4).contains(try number(1)) else { throw .damaged("a protocol other than 2 to 4") }
    case 0x95: _ = try number(8)
    case UInt8(ascii: "q"), UInt8(ascii: "r"):
      let index = try number(opcode == UInt8(ascii: "q") ? 1 : 4)
      memo[index] = try top()
    case 0x94: memo[memo.count] = try top()
    case UInt8(ascii: "h"): try recall(try number(1))
    case UInt8(ascii: "j"): try recall(try number(4))
    default: return false
    }
    return true
  }

  /// Handles names, calls and references to storages.
  private mutating func object(_ opcode: UInt8) throws(Fault) -> Bool {
    switch opcode {
    case UInt8(ascii: "c"):
      let module = try line()
      try pushName(module, try line())
    case 0x93:
      guard case .text(let name) = try pop(), case .text(let module) = try pop() else {
        throw .damaged("a name other than a string")
      }
      try pushName(module, name)
    case UInt8(ascii: "Q"): stack.append(.storage(try storage(try pop())))
    case UInt8(ascii: "R"):
      let arguments = try pop()
      guard case .name(let module, let name) = try pop(), case .tuple(let values, _) = arguments
      else { throw .damaged("a call of something other than a function") }
      stack.append(try result(of: "\(module).\(name)", values))
    case UInt8(ascii: "b"):
      // The attributes of a dictionary, such as `_metadata` of a state dict.
      _ = try pop()
      guard case .container = try top() else { throw .damaged("attributes of something else") }
    default: return false
    }
    return true
  }

  // MARK: - Objects

  /// Supported classes and functions.
  private static let names: Set<String> = [
    "collections.OrderedDict", "torch._utils._rebuild_tensor", "torch._utils._rebuild_tensor_v2",
    "torch._utils._rebuild_parameter", "torch.Size",
  ]

  private mutating func pushName(_ module: String, _ name: String) throws(Fault) {
    let full = "\(module).\(name)"
    guard Self.names.contains(full) || module == "torch" && TorchStorage.types.keys.contains(name)
    else { throw .foreign("'\(full)'") }
    stack.append(.name(module, name))
  }

  private func result(
    of function: String, _ arguments: [PickledValue]
  ) throws(Fault) -> PickledValue {
    switch function {
    case "collections.OrderedDict" where arguments.isEmpty:
      return .container(PickledContainer(isDictionary: true))
    case "torch._utils._rebuild_tensor", "torch._utils._rebuild_tensor_v2":
      guard arguments.count >= 4, case .storage(let storage) = arguments[0],
        case .integer(let offset) = arguments[1], let shape = arguments[2].integers,
        let strides = arguments[3].integers, shape.count == strides.count
      else { throw .damaged("a tensor with an invalid description") }
      return .tensor(
        PickledTensor(storage: storage, offset: offset, shape: shape, strides: strides))
    case "torch._utils._rebuild_parameter":
      guard let first = arguments.first, case .tensor = first else {
        throw .damaged("a parameter without a tensor")
      }
      return first
    case "torch.Size":
      guard let first = arguments.first, first.integers != nil else {
        throw .damaged("a size without extents")
      }
      return first
    default: throw .damaged("a call of '\(function)'")
    }
  }

  /// Decodes a reference `('storage', type, key, location, count)`.
  private func storage(_ reference: PickledValue) throws(Fault) -> PickledStorage {
    guard case .tuple(let parts, _) = reference, parts.count == 5, case .text("storage") = parts[0],
      case .name("torch", let type) = parts[1], case .text(let key) = parts[2],
      case .integer(let count) = parts[4], count >= 0
    else { throw .damaged("a reference to something other than a storage") }
    return PickledStorage(type: type, key: key, count: count)
  }

  // MARK: - Stack

  private mutating func pushTuple(_ values: [PickledValue]) throws(Fault) {
    let depth = 1 + (values.map(\.depth).max() ?? 0)
    guard depth <= Self.deepest else { throw .damaged("tuples that are nested too deeply") }
    for case .container(let container) in values { container.seal() }
    stack.append(.tuple(values, depth: depth))
  }

  private mutating func setItems(_ values: [PickledValue]) throws(Fault) {
    guard case .container(let target) = try top(), target.isDictionary, values.count % 2 == 0 else {
      throw .damaged("items of something other than a dictionary")
    }
    for index in stride(from: 0, to: values.count, by: 2) {
      try target.add(values[index], values[index + 1])
    }
  }

  private mutating func append(_ values: [PickledValue]) throws(Fault) {
    guard case .container(let target) = try top(), !target.isDictionary else {
      throw .damaged("elements of something other than a list")
    }
    for value in values { try target.add(.none, value) }
  }

  private mutating func recall(_ index: Int) throws(Fault) {
    guard let value = memo[index] else { throw .damaged("a reference to a missing memo entry") }
    stack.append(value)
  }

  private func top() throws(Fault) -> PickledValue {
    guard let last = stack.last, stack.count > marks.last ?? 0 else {
      throw .damaged("an empty stack")
    }
    return last
  }

  private mutating func pop() throws(Fault) -> PickledValue {
    let last = try top()
    stack.removeLast()
    return last
  }

  private mutating func pop(_ count: Int) throws(Fault) -> [PickledValue] {
    guard stack.count - (marks.last ?? 0) >= count else { throw .damaged("an empty stack") }
    defer { stack.removeLast(count) }
    return Array(stack.suffix(count))
  }

  private mutating func popToMark() throws(Fault) -> [PickledValue] {
    guard let mark = marks.popLast() else { throw .damaged("a missing mark") }
    defer { stack.removeSubrange(mark...) }
    return Array(stack[mark...])
  }

  // MARK: - Bytes

  private mutating func take(_ count: Int) throws(Fault) -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.count - at else { throw .damaged("an early end") }
    defer { at += count }
    return bytes[at..<at + count]
  }

  /// Reads an unsigned little-endian number.
  private mutating func number(_ count: Int) throws(Fault) -> Int {
    let value = try take(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard value <= UInt64(Int.max) else { throw .damaged("a number that is too large") }
    return Int(value)
  }

  /// Reads a two's complement number of up to 8 bytes. Longer numbers cannot be extents.
  private mutating func long() throws(Fault) -> PickledValue {
    let digits = try take(try number(1))
    guard digits.count <= 8 else { return .other }
    let fill: UInt64 = (digits.last ?? 0) >= 0x80 ? .max : 0
    let value = digits.reversed().reduce(fill) { $0 << 8 | UInt64($1) }
    return .integer(Int(truncatingIfNeeded: value))
  }

  private mutating func text(_ count: Int) throws(Fault) -> String {
    guard let text = String(validating: try take(count), as: UTF8.self) else {
      throw .damaged("a string that is not UTF-8")
    }
    return text
  }

  private mutating func line() throws(Fault) -> String {
    guard let end = bytes[at...].firstIndex(of: UInt8(ascii: "\n")), end - at <= 256 else {
      throw .damaged("an unterminated name")
    }
    let name = try text(end - at)
    at = end + 1
    return name
  }
}

extension PickledValue {
  /// The extents or strides of a tensor, at most 8.
  fileprivate var integers: [Int]? {
    // A tuple may be long and referenced often, so the count is checked before the traversal.
    guard case .tuple(let values, _) = self, values.count <= 8 else { return nil }
    var integers: [Int] = []
    for value in values {
      guard case .integer(let number) = value, number >= 0 else { return nil }
      integers.append(number)
    }
    return integers
  }
}
