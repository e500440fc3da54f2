import NeuralEngine
import SIMDKernels
import ThreadTeams

/// What the machine can do at most, measured: arithmetic by two sgemms, memory by a copy.
struct Ceilings {
  let instructionSet: InstructionSet
  let threads: Int
  /// Thousand millions of operations a second: this package's micro-kernel on operands in the cache, and
  /// OpenBLAS on large squares.
  let packed, openBLAS: Double
  /// Thousand millions of bytes a second, read and written.
  let copy: Double

  /// Operands of the micro-kernel: a panel in the first-level cache, all of it in the second.
  private static let packedSize = (rows: 96, depth: 256, columns: 256)
  /// An OpenBLAS product that packs its operands for a thousandth of its time.
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
        products: .packed(instructionSet), threads: team.threads), runs: 2000)
    let openBLASProducts = Products.openBLAS(instructionSet)
    openBLAS = Products.withoutNestedThreads(openBLASProducts) {
      rate(
        ProductCeiling(
          rows: Self.openBLASSize, depth: Self.openBLASSize, columns: Self.openBLASSize,
          products: openBLASProducts, threads: team.threads), runs: 20)
    }
    let memory = CopyCeiling(bytes: Self.copiedBytes)
    copy = Double(memory.bytes) * 1e-9 / timer.fastest(10) { memory.run(on: team) }
  }

  /// The faster sgemm.
  var arithmetic: Double { max(packed, openBLAS) }

  /// Seconds that a kernel takes at least: its products at the arithmetic's ceiling, or its bytes at the
  /// memory's, whichever is longer.
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
