package import ProcessLimits

/// Memory that work takes at its peak, beyond what the process holds when it begins.
public struct MemoryNeed: Sendable, Hashable {
  public var bytes: Int

  public init(bytes: Int) { self.bytes = bytes }

  /// - Parameter name: The file or option at fault, for the error.
  /// - Throws: ``ImageCodingError/insufficientMemory(file:needed:available:)``.
  package func require(for name: String, budget: MemoryBudget) throws {
    guard bytes > budget.bytes else { return }
    throw ImageCodingError.insufficientMemory(
      file: name, needed: bytes, available: budget.bytes)
  }

  /// Fails where the process may not take so much memory now.
  ///
  /// - Throws: ``ImageCodingError/insufficientMemory(file:needed:available:)``.
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
