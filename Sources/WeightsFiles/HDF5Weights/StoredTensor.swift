import HDF5Files

/// A tensor as the file stores it.
struct StoredTensor: Sendable {
  /// The values, or the 8-bit integers that `scale` multiplies.
  let values: HDF5Dataset
  /// One factor per outermost index; only with integers.
  let scale: HDF5Dataset?

  /// Values as the network uses them: multiplied by their scales, if there are any.
  ///
  /// - Parameters:
  ///   - stored: As the file has them.
  ///   - rows: Their indices on the outermost axis; `nil` for all.
  /// - Throws: `DepthError` when the scales cannot be read.
  func scaled(_ stored: consuming [Float], rows: Range<Int>?) throws -> [Float] {
    guard let scale else { return stored }
    let factors =
      try rows.map { try scale.isContiguous ? scale.floats(rows: $0) : Array(scale.floats()[$0]) }
      ?? scale.floats()
    guard !factors.isEmpty else { return stored }
    var values = consume stored
    let stride = values.count / factors.count
    for (o, factor) in factors.enumerated() {
      for i in o * stride..<(o + 1) * stride { values[i] *= factor }
    }
    return values
  }
}
