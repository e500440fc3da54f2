package import CDepthSIMD

/// The vector instruction sets of the kernels of 8-bit codes, slowest first. All give the same bits.
package enum CodeInstructionSet: String, Sendable, CaseIterable, CustomStringConvertible {
  /// SSE2 on x86-64, NEON on arm64; products of 16 bits.
  case baseline
  /// AVX2, products of 16 bits.
  case avx2
  /// AVX-512 F, DQ, BW and VL, products of 16 bits.
  case avx512
  /// AVX2 and AVX-VNNI: four products of bytes per 32-bit lane.
  case avxVNNI = "avxvnni"
  /// AVX-512 and its VNNI.
  case avx512VNNI = "avx512vnni"

  /// The sets that this machine supports, slowest first.
  package static let supported = allCases.filter { ck_codes_is_supported($0.identifier) }

  /// The fastest supported set that needs no more than `set` and the processor's byte products.
  package static func best(for set: InstructionSet) -> CodeInstructionSet {
    let possible: [CodeInstructionSet] =
      switch set {
      case .baseline: [.baseline]
      case .avx2: [.avx2, .avxVNNI]
      case .avx512: [.avx512, .avx512VNNI]
      }
    return possible.last { supported.contains($0) } ?? .baseline
  }

  /// Whether the set multiplies bytes, which makes a convolution of codes faster than one of floats.
  package var multipliesBytes: Bool { self == .avxVNNI || self == .avx512VNNI }

  package var description: String { rawValue }

  private var identifier: ck_codes_isa {
    switch self {
    case .baseline: ck_codes_baseline
    case .avx2: ck_codes_avx2
    case .avx512: ck_codes_avx512
    case .avxVNNI: ck_codes_avxvnni
    case .avx512VNNI: ck_codes_avx512vnni
    }
  }

  /// The kernels of this set.
  ///
  /// - Precondition: The set is one of ``supported``.
  package var kernels: UnsafePointer<ck_code_kernels> { unsafe ck_code_kernels_for(identifier) }
}
