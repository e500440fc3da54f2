package import CDepthSIMD

/// The vector instruction sets of the kernels of 8-bit quantized values, slowest first per architecture. All give the same bits.
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
  /// Tiles of AMX-INT8, beside AVX-512 and its VNNI.
  case amx
  /// The kernel of ``amx`` on a model of the tiles in plain C, with the vectors of ``baseline``; for tests.
  case amxModel = "amx-model"
  /// The same with the vectors of ``avx512VNNI``.
  case amxModelAVX512 = "amx-model-avx512"
  /// Every processor of arm64, products of 16 bits.
  case neon
  /// FEAT_DotProd of arm64: four products of bytes per 32-bit lane.
  case dotProd = "dotprod"
  /// FEAT_I8MM of arm64: products of matrices of bytes.
  case i8mm

  /// The sets that this machine supports, slowest first, without the models.
  ///
  /// Where the processor has AMX, the first use asks the system for this process's permission to use tiles; without it
  /// ``amx`` is not supported.
  package static let supported = allCases.filter {
    !$0.isModel && ck_codes_is_supported($0.identifier)
  }

  /// The models of sets that run on this machine, for tests.
  package static let models = allCases.filter { $0.isModel && ck_codes_is_supported($0.identifier) }

  /// The fastest supported set that needs no more than `set` and the processor's byte products, or the one of these
  /// that `DEPTH_ISA` names.
  package static func best(for set: InstructionSet) -> CodeInstructionSet {
    best(for: set, named: InstructionSet.environmentValue, among: supported)
  }

  static func best(
    for set: InstructionSet, named name: String?, among supported: [CodeInstructionSet]
  ) -> CodeInstructionSet {
    let possible = supported.filter { $0.vectors == set }
    // `avx512` and `neon` name all sets with their vectors, so that they leave the choice to the processor.
    if let named = possible.first(where: { $0.rawValue == name }), named.multipliesBytes {
      return named
    }
    return possible.last ?? .baseline
  }

  /// The set of all other kernels beside this one.
  package var vectors: InstructionSet {
    switch self {
    case .baseline, .amxModel: .baseline
    case .avx2, .avxVNNI: .avx2
    case .avx512, .avx512VNNI, .amx, .amxModelAVX512: .avx512
    case .neon, .dotProd, .i8mm: .neon
    }
  }

  /// Whether the set multiplies bytes, which makes a convolution of codes faster than one of floats.
  package var multipliesBytes: Bool {
    switch self {
    case .baseline, .avx2, .avx512, .neon, .amxModel, .amxModelAVX512: false
    case .avxVNNI, .avx512VNNI, .amx, .dotProd, .i8mm: true
    }
  }

  private var isModel: Bool { self == .amxModel || self == .amxModelAVX512 }

  package var description: String { rawValue }

  private var identifier: ck_codes_isa {
    switch self {
    case .baseline: ck_codes_baseline
    case .avx2: ck_codes_avx2
    case .avx512: ck_codes_avx512
    case .avxVNNI: ck_codes_avxvnni
    case .avx512VNNI: ck_codes_avx512vnni
    case .amx: ck_codes_amx
    case .amxModel: ck_codes_amx_model
    case .amxModelAVX512: ck_codes_amx_model_avx512
    case .neon: ck_codes_neon
    case .dotProd: ck_codes_dotprod
    case .i8mm: ck_codes_i8mm
    }
  }

  /// The kernels of this set.
  ///
  /// - Precondition: The set is one of ``supported`` or ``models``.
  package var kernels: UnsafePointer<ck_code_kernels> { unsafe ck_code_kernels_for(identifier) }
}
