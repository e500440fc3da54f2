/// A strided view of a storage.
struct PickledTensor {
  let storage: PickledStorage
  let offset: Int
  let shape, strides: [Int]

  /// Whether the elements are contiguous in row-major order.
  var isContiguous: Bool {
    // A tensor without elements is contiguous. The product of the other extents may overflow.
    guard !shape.contains(0) else { return true }
    var expected = 1
    for (extent, stride) in zip(shape, strides).reversed() {
      guard extent == 1 || stride == expected else { return false }
      let (next, overflows) = expected.multipliedReportingOverflow(by: extent)
      guard !overflows else { return false }
      expected = next
    }
    return true
  }
}
