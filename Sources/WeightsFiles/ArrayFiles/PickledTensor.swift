/// A strided window into a storage.
struct PickledTensor {
  let storage: PickledStorage
  let offset: Int
  let shape, strides: [Int]

  /// Whether its elements follow each other in row-major order.
  var isContiguous: Bool {
    // Without elements nothing follows anything, and other extents may multiply to more than an integer holds.
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
