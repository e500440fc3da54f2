import DepthBase
import NeuralEngine
import SIMDKernels

/// The measured limits of the machine: arithmetic by two SGEMMs, memory bandwidth by a copy.
struct Ceilings {
  let instructionSet: InstructionSet
  let threads: Int
  /// GFLOP/s of this package's GEMM kernel on operands in the cache, and of OpenBLAS on large
  /// square matrices.
  let packed, openBLAS: Double
  /// GB/s, read and written.
  let copy: Double

  /// Operands of the GEMM kernel: a panel fits into the first-level cache, everything into the
  /// second.
  private static let packedSize = (rows: 96, depth: 256, columns: 256)
  /// Size at which OpenBLAS spends a thousandth of its time packing operands.
  private static let openBLASSize = 1024
  private static let copiedBytes = 128 << 20

  init(_ instructionSet: InstructionSet, timer: KernelTimer, on team: ThreadTeam) {
    (self.instructionSet, threads) = (instructionSet, team.threads)
    func rate(_ product: ProductCeiling, runs: Int) -> Double {
      Double(product.operations(threads: team.threads)) * 1e-9
        / timer.fastest(runs) { product.run(on: team) }
    }
    let size = Self.packedSize
    packed = rate(
      ProductCeiling(
        rows: size.rows, depth: size.depth, columns: size.columns,
        backend: .packed(instructionSet), threads: team.threads), runs: 2000)
    let openBLASBackend = GEMMBackend.openBLAS(instructionSet)
    openBLAS = GEMMBackend.withoutNestedThreads(openBLASBackend) {
      rate(
        ProductCeiling(
          rows: Self.openBLASSize, depth: Self.openBLASSize, columns: Self.openBLASSize,
          backend: openBLASBackend, threads: team.threads), runs: 20)
    }
    let memory = CopyCeiling(bytes: Self.copiedBytes)
    copy = Double(memory.bytes) * 1e-9 / timer.fastest(10) { memory.run(on: team) }
  }

  /// The faster sgemm.
  var arithmetic: Double { max(packed, openBLAS) }

  /// Lower bound of a kernel's time in seconds, the roofline: its products at the arithmetic limit,
  /// or its bytes at the memory limit, whichever is longer.
  func leastSeconds(of kernel: KernelCase) -> Double {
    max(
      2e-9 * Double(kernel.productMultiplyAdds) / arithmetic, 1e-9 * Double(kernel.bytes) / copy)
  }

  var description: String {
    "\(instructionSet), \(threads == 1 ? "1 thread" : "\(threads) threads"): "
      + "sgemm packed \(fixed(packed, 0)) GFLOP/s, OpenBLAS \(fixed(openBLAS, 0)) GFLOP/s, "
      + "copy \(fixed(copy, 1)) GB/s"
  }
}
