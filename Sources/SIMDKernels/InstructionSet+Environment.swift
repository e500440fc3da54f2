import DepthErrors

extension InstructionSet {
  /// Checks that `DEPTH_ISA`, if set, names a supported set.
  ///
  /// - Throws: `DepthError` with code `invalidArgument`.
  package static func checkEnvironment() throws {
    try check(environmentValue, supported: supported)
  }

  static func check(_ value: String?, supported: [InstructionSet]) throws {
    guard let value, !supported.contains(where: { $0.rawValue == value }) else { return }
    throw DepthError(
      .invalidArgument,
      "DEPTH_ISA=\(value): is not an instruction set of this processor, "
        + "expected \(supported.map(\.rawValue).joined(separator: ", "))")
  }
}
