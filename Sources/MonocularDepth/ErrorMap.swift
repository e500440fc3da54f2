package import DepthImages

/// The expected relative error of each pixel's depth, without a unit: .1 is about 10 %.
///
/// A value is the expected |ln estimate − ln truth|, the scale of a Laplace distribution of ln depth.
///
/// ```swift
/// if let errors = try estimator.estimate(of: photo).expectedError {
///   print(errors.values.max() ?? 0)  // .3: the least certain pixel is expected to be off by 30 %
/// }
/// ```
public struct ErrorMap: Sendable, Hashable {
  /// Rows and columns.
  public let height, width: Int
  /// `height·width` positive values, row 0 at the top; pixel `(y, x)` is at `y·width + x`.
  public let values: [Float]

  /// - Precondition: `values.count == height·width`.
  package init(height: Int, width: Int, values: [Float]) {
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

extension ErrorMap {
  /// The map without the lattice of up-projections: dots 2 or 4 pixels apart in the map, or 8 or 16 pixels in a photo of
  /// 640 × 480. A confidence threshold would cut a wall along these dots.
  ///
  /// The filter weights 1 2 2 2 1 along rows and columns are a mean of four neighbors followed by a mean of two. This
  /// filter removes periods of 2 and 4 pixels without a shift. Pixels that are NaN or outside the map have no weight; NaN
  /// stays NaN.
  func withoutLattice() -> ErrorMap {
    let sums = weighted(values.map { $0.isNaN ? 0 : Double($0) })
    let weights = weighted(values.map { $0.isNaN ? 0 : 1 })
    return ErrorMap(
      height: height, width: width,
      values: values.indices.map { values[$0].isNaN ? .nan : Float(sums[$0] / weights[$0]) })
  }

  /// The map's numbers, summed with weights 1 2 2 2 1 along rows and then along columns.
  private func weighted(_ numbers: [Double]) -> [Double] {
    // Symmetric pairs are added first, so that the result for a mirrored map is the exact mirror image.
    var (rows, result) = (numbers, numbers)
    for i in numbers.indices {
      let x = i % width
      let near = (x > 0 ? numbers[i - 1] : 0) + (x + 1 < width ? numbers[i + 1] : 0)
      let far = (x > 1 ? numbers[i - 2] : 0) + (x + 2 < width ? numbers[i + 2] : 0)
      rows[i] = 2 * numbers[i] + 2 * near + far
    }
    let end = numbers.count
    for i in numbers.indices {
      let near = (i >= width ? rows[i - width] : 0) + (i + width < end ? rows[i + width] : 0)
      let far =
        (i >= 2 * width ? rows[i - 2 * width] : 0)
        + (i + 2 * width < end ? rows[i + 2 * width] : 0)
      result[i] = 2 * rows[i] + 2 * near + far
    }
    return result
  }
}

extension DepthMap {
  /// The map without the values of pixels with low confidence.
  ///
  /// ```swift
  /// if let errors = estimate.expectedError {
  ///   let sure = estimate.depth.keeping(atLeast: 0.8, of: errors)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - confidence: The lowest `ErrorMap.confidence` of pixels that keep their value.
  ///   - errors: An error map of any size, stretched over the depth map.
  package func keeping(atLeast confidence: Float, of errors: ErrorMap) -> DepthMap {
    let errors = errors.resized(height: height, width: width)
    let missing = unit.missingValue
    return DepthMap(
      height: height, width: width, unit: unit,
      values: zip(values, errors.confidence).map { $1 >= confidence ? $0 : missing })
  }
}
