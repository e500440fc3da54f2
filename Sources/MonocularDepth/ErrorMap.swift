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
