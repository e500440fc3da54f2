package import CDepthSIMD
import SystemEssentials

/// The vector instruction sets that the kernels are compiled for, slowest first per architecture.
package enum InstructionSet: String, Sendable, CaseIterable, CustomStringConvertible {
  /// The instruction set of every processor of the architecture, with one register per vector: SSE2 on x86-64, NEON on arm64.
  case baseline
  /// AVX2 and FMA.
  case avx2
  /// AVX-512 F, DQ, BW and VL.
  case avx512
  /// NEON on arm64 with two registers per vector and products by a single lane. Results have the same bits as with ``avx2``.
  case neon

  /// The sets that this machine supports, slowest first.
  package static let supported = allCases.filter { ck_is_supported($0.identifier) }

  /// The supported set in the environment variable `DEPTH_ISA`, or else the fastest set.
  ///
  /// ``checkEnvironment()`` rejects other values of the variable.
  package static let current: InstructionSet = {
    let wanted = environmentValue.flatMap(InstructionSet.init(named:))
    return supported.last { $0 == wanted } ?? supported.last ?? .baseline
  }()

  /// The value of `DEPTH_ISA`; `nil` if it is unset or empty.
  package static var environmentValue: String? {
    unsafe getenv("DEPTH_ISA").map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  package var description: String { rawValue }

  private var identifier: ck_isa {
    switch self {
    case .baseline: ck_baseline
    case .avx2: ck_avx2
    case .avx512: ck_avx512
    case .neon: ck_neon
    }
  }

  /// The kernels of this set.
  ///
  /// - Precondition: The set is one of ``supported``.
  package var kernels: UnsafePointer<ck_kernels> { unsafe ck_kernels_for(identifier) }
}
