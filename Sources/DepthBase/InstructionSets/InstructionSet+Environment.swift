import DepthErrors

extension InstructionSet {
  /// Checks that `DEPTH_ISA`, if set, names a supported instruction set of all kernels or of the int8 kernels.
  ///
  /// - Throws: `DepthError` with code `invalidArgument`.
  package static func checkEnvironment() throws {
    try check(environmentValue, supported: supported, int8: Int8InstructionSet.supported)
  }

  /// - Parameter int8: Evaluated only if `value` is not in `supported`.
  static func check(
    _ value: String?, supported: [InstructionSet],
    int8: @autoclosure () -> [Int8InstructionSet]
  ) throws {
    guard let value, !supported.contains(where: { $0.rawValue == value }) else { return }
    let names = supported.map(\.rawValue) + int8().filter(\.multipliesBytes).map(\.name)
    guard !names.contains(value) else { return }
    throw DepthError(
      .invalidArgument,
      "DEPTH_ISA=\(value): is not an instruction set of this processor, "
        + "expected \(names.joined(separator: ", "))")
  }

  /// The set for a value of `DEPTH_ISA`. The name of an int8 set selects the float set with the same vectors.
  init?(named value: String) {
    switch value {
    case "avxvnni": self = .avx2
    case "avx512vnni", "amx": self = .avx512
    case "dotprod", "i8mm": self = .neon
    default: self.init(rawValue: value)
    }
  }
}
