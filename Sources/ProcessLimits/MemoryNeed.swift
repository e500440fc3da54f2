package import DepthErrors

/// Memory that work takes at its peak, beyond what the process holds when it begins.
public struct MemoryNeed: Sendable, Hashable {
  public var bytes: Int

  public init(bytes: Int) { self.bytes = bytes }

  /// - Parameter name: The file or option at fault, for the error.
  /// - Throws: ``DepthError`` with code `insufficientMemory`.
  package func require(for name: String, budget: MemoryBudget) throws {
    guard bytes > budget.bytes else { return }
    throw DepthError.insufficientMemory(file: name, needed: bytes, available: budget.bytes)
  }

  /// Fails where the process may not take so much memory now.
  ///
  /// - Throws: ``DepthError`` with code `insufficientMemory`.
  public func require(for name: String) throws {
    // Less is not worth the look at the system's files.
    if bytes > Self.negligible { try require(for: name, budget: .current) }
  }

  private static let negligible = 32_000_000

  /// `3.1 GB`, `640 MB`.
  package static func text(_ bytes: Int) -> String {
    let (unit, name) = bytes >= 999_500_000 ? (1e9, "GB") : (1e6, "MB")
    let tenths = Int((Double(bytes) / unit * 10).rounded())
    let rounded = (tenths + 5) / 10
    return tenths >= 1000 ? "\(rounded) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
  }
}

extension DepthError {
  /// The work needs more memory than this process may still take; both numbers in bytes.
  package static func insufficientMemory(file: String, needed: Int, available: Int) -> DepthError {
    DepthError(
      .insufficientMemory, file: file,
      "needs about \(MemoryNeed.text(needed)) of memory, \(MemoryNeed.text(available)) are available"
    )
  }
}
