package import DepthErrors

/// The memory that an operation uses at its peak, in addition to the memory that the process already uses.
public struct MemoryNeed: Sendable, Hashable {
  /// Bytes at the peak.
  public var bytes: Int

  /// A need of the given number of bytes.
  public init(bytes: Int) { self.bytes = bytes }

  /// Checks that the need is within a budget.
  ///
  /// - Parameter name: The file or option at fault, for the error.
  /// - Throws: `DepthError` with code `insufficientMemory`.
  package func require(for name: String, budget: MemoryBudget) throws {
    guard bytes > budget.bytes else { return }
    throw DepthError.insufficientMemory(
      file: name, needed: bytes, available: budget.bytes,
      isTemporary: bytes <= MemoryBudget.largest.bytes)
  }

  /// Checks that this process may use this much more memory now.
  ///
  /// - Parameter name: The file or option that causes the need; the error names it.
  /// - Throws: `DepthError` with code `insufficientMemory` if it may not.
  public func require(for name: String) throws {
    // Reading the limits takes time; small needs are not checked.
    if bytes > Self.negligible { try require(for: name, budget: .current) }
  }

  private static let negligible = 32_000_000

  /// A number of bytes as text, such as `3.1 GB` or `640 MB`.
  package static func text(_ bytes: Int) -> String {
    let (unit, name) = bytes >= 999_500_000 ? (1e9, "GB") : (1e6, "MB")
    let tenths = Int((Double(bytes) / unit * 10).rounded())
    let rounded = (tenths + 5) / 10
    return tenths >= 1000 ? "\(rounded) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
  }
}

extension DepthError {
  /// An operation needs more memory than this process may still take; both numbers are in bytes.
  ///
  /// - Parameter isTemporary: Whether it would fit if no other process held memory.
  package static func insufficientMemory(
    file: String, needed: Int, available: Int, isTemporary: Bool = false
  ) -> DepthError {
    DepthError(
      .insufficientMemory, file: file,
      "needs about \(MemoryNeed.text(needed)) of memory, \(MemoryNeed.text(available)) are available",
      cause: MemoryShortage(isTemporary: isTemporary))
  }
}

/// A need that could not be met.
package struct MemoryShortage: Error {
  /// Whether it would fit if no other process held memory.
  package let isTemporary: Bool
}
