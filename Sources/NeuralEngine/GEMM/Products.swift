import CDepthSIMD
public import SIMDKernels

/// Who multiplies matrices.
public enum Products: Hashable, Sendable, CustomStringConvertible {
  /// OpenBLAS `sgemm`: everywhere available, and the oracle for the other. The instruction set is
  /// that of everything around the products.
  case openBLAS(InstructionSet)
  /// This package's kernels on weights packed at load, for one instruction set.
  case packed(InstructionSet)

  /// The fastest for this processor: OpenBLAS where the package has only baseline kernels.
  public static var best: Products { best(for: .current) }

  /// The fastest with an instruction set.
  package static func best(for instructionSet: InstructionSet) -> Products {
    instructionSet == .baseline ? .openBLAS(.baseline) : .packed(instructionSet)
  }

  public var instructionSet: InstructionSet {
    switch self {
    case .openBLAS(let isa), .packed(let isa): isa
    }
  }

  public var description: String {
    switch self {
    case .openBLAS(let isa): "openblas+\(isa)"
    case .packed(let isa): "packed+\(isa)"
    }
  }

  var kernels: UnsafePointer<ck_kernels> { instructionSet.kernels }
}
