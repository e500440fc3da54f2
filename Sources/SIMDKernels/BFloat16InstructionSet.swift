package import CDepthSIMD

/// The instruction sets of the kernels of bfloat16, slowest first per architecture. Each gives the same bits on any number of
/// threads; sets with tiles and those of arm64 add in orders of their own.
package enum BFloat16InstructionSet: String, Sendable, CaseIterable, CustomStringConvertible {
  /// VDPBF16PS of AVX512-BF16: two products per 32-bit lane.
  case avx512BF16 = "avx512bf16"
  /// Tiles of AMX-BF16, beside AVX512-BF16.
  case amx
  /// The kernel of ``avx512BF16`` on a model of its instruction in plain C; for tests.
  case model = "bf16-model"
  /// The kernel of ``amx`` on a model of the tiles in plain C; for tests.
  case amxModel = "amx-model"
  /// BFMMLA of arm64's FEAT_BF16: products of matrices.
  case neon = "bf16"

  /// The sets that this machine supports, slowest first, without the models.
  ///
  /// Where the processor has AMX, the first use asks the system for this process's permission to use tiles; without it
  /// ``amx`` is not supported.
  package static let supported = [avx512BF16, amx, neon].filter {
    ck_bfloat16_is_supported($0.identifier)
  }

  /// The models, which run on every machine, for tests.
  package static let models = [model, amxModel]

  /// The fastest supported set beside the vectors of `set`, or the one of these that `DEPTH_ISA` names; `nil` where the
  /// processor has none.
  package static func best(for set: InstructionSet) -> BFloat16InstructionSet? {
    best(for: set, named: InstructionSet.environmentValue, among: supported)
  }

  static func best(
    for set: InstructionSet, named name: String?,
    among supported: @autoclosure () -> [BFloat16InstructionSet]
  ) -> BFloat16InstructionSet? {
    guard set == .avx512 || set == .neon else { return nil }
    let possible = supported().filter { $0.vectors == set }
    return possible.first { $0.rawValue == name } ?? possible.last
  }

  /// The set of all other kernels beside this one.
  package var vectors: InstructionSet {
    switch self {
    case .avx512BF16, .amx: .avx512
    case .neon: .neon
    case .model, .amxModel: .baseline
    }
  }

  /// Whether the set multiplies tiles.
  package var hasTiles: Bool { self == .amx || self == .amxModel }

  package var description: String { rawValue }

  private var identifier: ck_bfloat16_isa {
    switch self {
    case .avx512BF16: ck_bfloat16_avx512
    case .amx: ck_bfloat16_amx
    case .model: ck_bfloat16_model
    case .amxModel: ck_bfloat16_amx_model
    case .neon: ck_bfloat16_neon
    }
  }

  /// The kernels of this set.
  ///
  /// - Precondition: The set is one of ``supported`` or ``models``.
  package var kernels: UnsafePointer<ck_bfloat16_kernels> {
    unsafe ck_bfloat16_kernels_for(identifier)
  }
}
