import DepthErrors

extension InstructionSet {
  /// Checks that `DEPTH_ISA`, if set, names a supported set, of all kernels, or of those of int8 or of bfloat16.
  ///
  /// - Throws: `DepthError` with code `invalidArgument`.
  package static func checkEnvironment() throws {
    try check(
      environmentValue, supported: supported, int8: Int8InstructionSet.supported,
      bfloat16: BFloat16InstructionSet.supported)
  }

  /// - Parameter int8: Asked only for where `value` is none of `supported`, as `bfloat16`.
  static func check(
    _ value: String?, supported: [InstructionSet],
    int8: @autoclosure () -> [Int8InstructionSet],
    bfloat16: @autoclosure () -> [BFloat16InstructionSet] = []
  ) throws {
    guard let value, !supported.contains(where: { $0.rawValue == value }) else { return }
    var names = supported.map(\.rawValue) + int8().filter(\.multipliesBytes).map(\.name)
    // Tiles have one name for bytes and bfloat16.
    names += bfloat16().map(\.name).filter { !names.contains($0) }
    guard !names.contains(value) else { return }
    throw DepthError(
      .invalidArgument,
      "DEPTH_ISA=\(value): is not an instruction set of this processor, "
        + "expected \(names.joined(separator: ", "))")
  }

  /// The set that a value of `DEPTH_ISA` names: for a set of byte products or of bfloat16 the one whose vectors it has.
  init?(named value: String) {
    switch value {
    case "avxvnni": self = .avx2
    case "avx512vnni", "amx", "avx512bf16": self = .avx512
    case "dotprod", "i8mm", "bf16": self = .neon
    default: self.init(rawValue: value)
    }
  }
}
