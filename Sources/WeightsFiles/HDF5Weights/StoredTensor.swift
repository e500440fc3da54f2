import HDF5Files

/// A tensor as stored in the file.
struct StoredTensor: Sendable {
  /// The values, or 8-bit integers to be multiplied by `scale`.
  let values: HDF5Dataset
  /// One factor per index of the outermost axis; only with integers.
  let scale: HDF5Dataset?

  /// The values multiplied by the scales, if the tensor has scales.
  ///
  /// - Parameters:
  ///   - stored: The stored values.
  ///   - rows: Indices of the values on the outermost axis; `nil` for all.
  /// - Throws: `DepthError` if the scales cannot be read.
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
