/// An input to begin with.
public struct FuzzSeed: Sendable {
  public let bytes: [UInt8]
  /// Whether the bytes make a value; others lack a part of one.
  public let isWhole: Bool

  init(_ bytes: [UInt8], isWhole: Bool = true) { (self.bytes, self.isWhole) = (bytes, isWhole) }

  /// A text behind the byte that says what it is of.
  init(_ kind: UInt8, _ text: String) { self.init([kind] + Array(text.utf8)) }
}
