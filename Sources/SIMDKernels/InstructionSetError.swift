#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The environment's `DEPTH_ISA` names vector instructions that this machine does not run.
public struct InstructionSetError: Error, Equatable, Sendable {
  /// The variable's value.
  public let found: String
  /// The values that would work here.
  public let expected: [String]

  public init(found: String, expected: [String]) {
    (self.found, self.expected) = (found, expected)
  }
}

extension InstructionSetError: CustomStringConvertible {
  public var description: String {
    "DEPTH_ISA=\(found): is not an instruction set of this processor, "
      + "expected \(expected.joined(separator: ", "))"
  }
}

extension InstructionSetError: LocalizedError {
  public var errorDescription: String? { description }
}

extension InstructionSet {
  /// Checks that `DEPTH_ISA`, where it is set, names a supported set.
  ///
  /// - Throws: ``InstructionSetError``.
  public static func checkEnvironment() throws {
    try check(environmentValue, supported: supported)
  }

  static func check(_ value: String?, supported: [InstructionSet]) throws {
    guard let value, !supported.contains(where: { $0.rawValue == value }) else { return }
    throw InstructionSetError(found: value, expected: supported.map(\.rawValue))
  }
}
