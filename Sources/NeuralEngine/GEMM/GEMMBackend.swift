import CDepthSIMD
package import DepthBase

/// The matrix-multiplication back end.
package enum GEMMBackend: Hashable, Sendable, CustomStringConvertible {
  /// OpenBLAS `sgemm`, which runs on every processor and is the reference in tests. The instruction
  /// set is that of all other kernels.
  case openBLAS(InstructionSet)
  /// This package's GEMM kernels on packed weights, for one instruction set.
  case packed(InstructionSet)
  /// One product after the other, each added with a single rounding: the bits of the packed kernels that have an instruction for
  /// that, on a processor that has none. Slow, and for the few layers of floats of a network of integers.
  case fused(InstructionSet)

  /// The fastest on this processor: OpenBLAS where the package has baseline kernels only, or `DEPTH_ISA` asks for them.
  package static var best: GEMMBackend { best(for: .current) }

  /// The fastest with an instruction set.
  package static func best(for instructionSet: InstructionSet) -> GEMMBackend {
    instructionSet == .baseline ? .openBLAS(.baseline) : .packed(instructionSet)
  }

  /// The back end of the layers of floats beside layers of integers, whose results have the same bits on every processor.
  var besideIntegers: GEMMBackend { instructionSet == .baseline ? .fused(.baseline) : self }

  /// The instruction set of all kernels beside the matrix products.
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
