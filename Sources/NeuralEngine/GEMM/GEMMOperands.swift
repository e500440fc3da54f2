import CDepthSIMD

/// The left-hand matrix and the destination of a product C = A · B.
@unsafe struct GEMMOperands {
  /// Rows of A and C.
  var rows: Int
  /// Rows of A, `aStride` floats apart.
  var a: UnsafePointer<Float>
  var aStride: Int
  /// Rows of C, `cStride` floats apart.
  var c: UnsafeMutablePointer<Float>
  var cStride: Int
  /// The B and A of the next product, if known, for prefetching.
  var nextMatrix, nextRows: UnsafePointer<Float>?
  /// The epilogue for the result. Its pointers refer to row 0 and column 0.
  var epilogue = unsafe ck_epilogue()

  /// The part of the product for rows `range`.
  func rows(_ range: Range<Int>) -> GEMMOperands {
    var part = unsafe self
    unsafe part.rows = range.count
    unsafe part.a += range.lowerBound * aStride
    unsafe part.c += range.lowerBound * cStride
    unsafe part.epilogue.residual = epilogue.residual.map {
      unsafe $0 + range.lowerBound * epilogue.residual_stride
    }
    return unsafe part
  }
}
