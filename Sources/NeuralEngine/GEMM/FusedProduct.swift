/// Matrix products with a single rounding per multiply-add, on processors with or without the instruction.
enum FusedProduct {
  /// Computes C = A · B + bias, or C += A · B + bias if `adding` is true. All matrices are row-major.
  ///
  /// Each element is one chain of additions in the order of the depth, as in `gemm.h`. The bias and then the previous
  /// value of C are added, as in `epilogue.h`.
  ///
  /// - Parameter bias: One value per column; `nil` for none.
  static func multiply(
    rows: Int, columns: Int, depth: Int, _ a: UnsafePointer<Float>, stride aStride: Int,
    _ b: UnsafePointer<Float>, stride bStride: Int, bias: UnsafePointer<Float>?, adding: Bool,
    into c: UnsafeMutablePointer<Float>, stride cStride: Int
  ) {
    for y in 0..<rows {
      for x in 0..<columns {
        var sum: Float = 0
        for k in 0..<depth { unsafe sum.addProduct(a[y * aStride + k], b[k * bStride + x]) }
        if let bias = unsafe bias { unsafe sum += bias[x] }
        let result = unsafe c + y * cStride + x
        unsafe result.pointee = adding ? sum + result.pointee : sum
      }
    }
  }
}
