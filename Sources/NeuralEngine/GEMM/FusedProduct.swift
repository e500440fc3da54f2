/// Matrix products whose every addition rounds once, with or without an instruction for it.
enum FusedProduct {
  /// C = A · B, or C += A · B where `adding` is true; all matrices are row-major.
  ///
  /// Each element is one chain of additions in the order of the depth, as in `gemm.h`, also where the result is added to another.
  static func multiply(
    rows: Int, columns: Int, depth: Int, _ a: UnsafePointer<Float>, stride aStride: Int,
    _ b: UnsafePointer<Float>, stride bStride: Int, adding: Bool,
    into c: UnsafeMutablePointer<Float>, stride cStride: Int
  ) {
    for y in 0..<rows {
      for x in 0..<columns {
        var sum: Float = 0
        for k in 0..<depth { unsafe sum.addProduct(a[y * aStride + k], b[k * bStride + x]) }
        let result = unsafe c + y * cStride + x
        unsafe result.pointee = adding ? result.pointee + sum : sum
      }
    }
  }
}
