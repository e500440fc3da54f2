import DepthErrors

extension InstructionSet {
  /// Checks that `DEPTH_ISA`, if set, names a supported set, of all kernels, or of those of 8-bit codes or of bfloat16.
  ///
  /// - Throws: `DepthError` with code `invalidArgument`.
  package static func checkEnvironment() throws {
    try check(
      environmentValue, supported: supported, codes: CodeInstructionSet.supported,
      bfloat16: BFloat16InstructionSet.supported)
  }

  /// - Parameter codes: Asked only for where `value` is none of `supported`, as `bfloat16`.
  static func check(
    _ value: String?, supported: [InstructionSet],
    codes: @autoclosure () -> [CodeInstructionSet],
    bfloat16: @autoclosure () -> [BFloat16InstructionSet] = []
  ) throws {
    guard let value, !supported.contains(where: { $0.rawValue == value }) else { return }
    var names =
      supported.map(\.rawValue) + codes().filter(\.multipliesBytes).map(\.rawValue)
    // Tiles have one name for bytes and bfloat16.
    names += bfloat16().map(\.rawValue).filter { !names.contains($0) }
    guard !names.contains(value) else { return }
    throw DepthError(
      .invalidArgument,
      "DEPTH_ISA=\(value): is not an instruction set of this processor, "
        + "expected \(names.joined(separator: ", "))")
  }

  /// The set that a value of `DEPTH_ISA` names: for a set of byte products or of bfloat16 the one whose vectors it has.
  init?(named value: String) {
    if let set = BFloat16InstructionSet(rawValue: value), set == .avx512BF16 || set == .neon {
      self = set.vectors
      return
    }
    let codes = CodeInstructionSet(rawValue: value).flatMap { $0.multipliesBytes ? $0 : nil }
    guard let set = InstructionSet(rawValue: value) ?? codes?.vectors else { return nil }
    self = set
  }
}
