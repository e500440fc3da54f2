import CDepthSIMD
package import DepthBase

/// The matrix-multiplication back end.
package enum GEMMBackend: Hashable, Sendable, CustomStringConvertible {
  /// OpenBLAS `sgemm`, which runs on every processor and is the reference in tests. The instruction set applies to all other
  /// kernels.
  case openBLAS(InstructionSet)
  /// This package's GEMM kernels on packed weights, for one instruction set.
  case packed(InstructionSet)
  /// Sequential products with a single rounding per multiply-add, equal bit by bit to the packed kernels. This slow back end
  /// serves processors without fused multiply-add, for the few float layers of an integer network.
  case fused(InstructionSet)

  /// The fastest back end on this processor. It is OpenBLAS if the package has only baseline kernels or `DEPTH_ISA` requests
  /// them.
  package static var best: GEMMBackend { best(for: .current) }

  /// The fastest back end for an instruction set.
  package static func best(for instructionSet: InstructionSet) -> GEMMBackend {
    instructionSet == .baseline ? .openBLAS(.baseline) : .packed(instructionSet)
  }

  /// The back end of float layers in an integer network, whose results are equal bit by bit on every processor.
  var besideIntegers: GEMMBackend { instructionSet == .baseline ? .fused(.baseline) : self }

  /// The instruction set of all kernels except the matrix products.
  package var instructionSet: InstructionSet {
    switch self {
    case .openBLAS(let isa), .packed(let isa), .fused(let isa): isa
    }
  }

  package var description: String {
    switch self {
    case .openBLAS(let isa): "openblas+\(isa)"
    case .packed(let isa): "packed+\(isa)"
    case .fused(let isa): "fused+\(isa)"
    }
  }

  var kernels: UnsafePointer<ck_kernels> { unsafe instructionSet.kernels }
}
