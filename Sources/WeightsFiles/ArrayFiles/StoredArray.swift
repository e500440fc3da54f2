import DepthBase

/// An array of a published weights file.
package struct StoredArray: Sendable {
  /// Format of its numbers; `nil` for numbers that are no floats, which ``typeName`` names.
  let format: FloatFormat?
  let typeName: String
  /// Outermost extent first; the numbers are in row-major order.
  let shape: [Int]
  /// Byte of the file at which the numbers begin.
  let offset: Int

  /// Number of elements; ``ArrayFile`` checks that it does not overflow.
  package var count: Int { shape.reduce(1, *) }
}

extension [Int] {
  /// The product of extents that are not negative; `nil` beyond what a file can hold.
  var checkedProduct: Int? {
    var product = 1
    for extent in self {
      guard extent >= 0 else { return nil }
      let (next, overflows) = product.multipliedReportingOverflow(by: extent)
      guard !overflows, next <= 1 << 40 else { return nil }
      product = next
    }
    return product
  }
}
