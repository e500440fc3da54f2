public import DepthImages

/// The confidence of pixels, and error maps at other sizes.
extension ErrorMap {
  /// The confidence of each pixel: 1 − the expected relative error, but at least 0.
  ///
  /// .9 means that the depth is expected to be off by 10 %.
  public var confidence: [Float] { values.map { max(0, 1 - $0) } }

  /// The mean over the pixels.
  var mean: Double { values.reduce(0) { $0 + Double($1) } / Double(max(values.count, 1)) }

  /// The map at another size, interpolated linearly between the pixels' centers.
  ///
  /// - Precondition: Both sides are positive.
  public func resized(height: Int, width: Int) -> ErrorMap {
    precondition(height > 0 && width > 0, "\(width)×\(height), expected positive sides")
    guard (height, width) != (self.height, self.width) else { return self }
    var rows = BilinearRows(
      values, height: self.height, width: self.width, toHeight: height, width: width)
    return ErrorMap(height: height, width: width, values: rows.all().map(Float.init))
  }
}

extension DepthMap {
  /// The map without the pixels of low confidence: they have no value in the result.
  ///
  /// ```swift
  /// if let errors = estimate.expectedError {
  ///   let sure = estimate.depth.keeping(atLeast: 0.8, of: errors)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - confidence: Pixels with a lower `ErrorMap.confidence` lose their value.
  ///   - errors: An error map of any size; it is stretched over the depth map.
  public func keeping(atLeast confidence: Float, of errors: ErrorMap) -> DepthMap {
    let errors = errors.resized(height: height, width: width)
    let missing = unit.missingValue
    return DepthMap(
      height: height, width: width, unit: unit,
      values: zip(values, errors.confidence).map { $1 >= confidence ? $0 : missing })
  }
}
