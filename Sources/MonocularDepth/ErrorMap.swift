public import DepthImages

/// The expected relative error of each pixel's depth, without a unit: .1 is about 10 %.
///
/// A value is the expected |ln estimate − ln truth|, the scale of a Laplace distribution of ln depth.
///
/// ```swift
/// if let errors = try estimator.estimate(of: photo).expectedError {
///   print(errors.values.max() ?? 0)  // .3: the least certain pixel is expected to be off by 30 %
/// }
/// ```
public struct ErrorMap: Sendable, Equatable {
  /// Rows and columns.
  public let height, width: Int
  /// `height·width` positive values, row 0 at the top; pixel `(y, x)` is at `y·width + x`.
  public let values: [Float]

  /// - Precondition: `values.count == height·width`.
  public init(height: Int, width: Int, values: [Float]) {
    precondition(
      values.count == height * width,
      "\(values.count) values for a \(width)×\(height) map, expected \(height * width)")
    (self.height, self.width, self.values) = (height, width, values)
  }

  /// The map with left and right exchanged.
  var mirrored: ErrorMap {
    ErrorMap(height: height, width: width, values: values.withRowsReversed(width: width))
  }
}

extension [Float] {
  /// Rows of `width` values, each in the opposite order.
  func withRowsReversed(width: Int) -> [Float] {
    var result = self
    for row in stride(from: 0, to: count, by: width) {
      result.replaceSubrange(row..<row + width, with: self[row..<row + width].reversed())
    }
    return result
  }
}

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
