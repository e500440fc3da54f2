import DepthBase

/// An array of a published weights file.
package struct StoredArray: Sendable {
  /// Format of the numbers; `nil` for types other than floats, see ``typeName``.
  let format: FloatFormat?
  let typeName: String
  /// Extents, outermost first; the numbers are in row-major order.
  let shape: [Int]
  /// Byte offset of the numbers in the file.
  let offset: Int

  /// Number of elements. ``ArrayFile`` ensures that the product does not overflow.
  package var count: Int { shape.reduce(1, *) }
}

extension [Int] {
  /// The product of nonnegative extents; `nil` for a negative extent, and above the size limit of a file.
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
