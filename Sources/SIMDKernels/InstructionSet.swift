package import CDepthSIMD

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Vector instructions that the kernels are compiled for, slowest first.
public enum InstructionSet: String, Sendable, CaseIterable, CustomStringConvertible {
  /// What every processor of the architecture has: SSE2 on x86-64, NEON on arm64.
  case baseline
  case avx2
  case avx512

  /// The sets this machine can run, slowest first.
  public static let supported = allCases.filter { ck_is_supported($0.identifier) }

  /// The fastest supported set, or the supported one that the environment's `DEPTH_ISA` names.
  ///
  /// Any other value of the variable is refused by ``checkEnvironment()``.
  public static let current: InstructionSet = {
    let wanted = environmentValue.flatMap(InstructionSet.init)
    return supported.last { $0 == wanted } ?? supported.last ?? .baseline
  }()

  /// What `DEPTH_ISA` says; `nil` when it is not set or empty.
  static var environmentValue: String? {
    getenv("DEPTH_ISA").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  public var description: String { rawValue }

  private var identifier: ck_isa {
    switch self {
    case .baseline: ck_baseline
    case .avx2: ck_avx2
    case .avx512: ck_avx512
    }
  }

  /// The kernels of this set, which must be supported.
  package var kernels: UnsafePointer<ck_kernels> { ck_kernels_for(identifier) }
}
