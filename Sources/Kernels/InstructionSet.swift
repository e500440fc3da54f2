public import CKernels
import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension InstructionSet: @retroactive CaseIterable, @retroactive CustomStringConvertible {
  /// Every instruction set that has kernels, slowest first.
  public static var allCases: [InstructionSet] { [.baseline, .avx2, .avx512] }

  /// The sets this machine can run, slowest first.
  public static var supported: [InstructionSet] { allCases.filter(ck_is_supported) }

  /// The fastest supported set, or the supported one that `DEPTH_ISA` names.
  public static let current: InstructionSet = {
    let wanted = getenv("DEPTH_ISA").map { String(cString: $0) }
    return supported.last { $0.description == wanted } ?? supported.last ?? .baseline
  }()

  public var description: String {
    switch self {
    case .baseline: "baseline"
    case .avx2: "avx2"
    case .avx512: "avx512"
    }
  }
}
