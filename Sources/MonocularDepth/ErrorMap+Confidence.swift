public import DepthImages

/// What is done with the pixels that a network is not sure of.
extension ErrorMap {
  /// How sure the network is of each pixel: 1 − the expected relative error, and 0 where that is above 1.
  ///
  /// .9 is depth that is expected to be off by 10 %.
  public var confidence: [Float] { values.map { max(0, 1 - $0) } }

  /// The mean over the pixels.
  var mean: Double { values.reduce(0) { $0 + Double($1) } / Double(max(values.count, 1)) }

  /// The map at another size, interpolated linearly between the pixels' centers.
  ///
  /// - Precondition: Both sides are positive.
  public func resized(height: Int, width: Int) -> ErrorMap {
    precondition(height > 0 && width > 0, "\(width)×\(height), expected positive sides")
    guard (height, width) != (self.height, self.width) else { return self }
    let rows = Self.neighbors(of: height, in: self.height)
    let columns = Self.neighbors(of: width, in: self.width)
    var result: [Float] = []
    result.reserveCapacity(height * width)
    for row in rows {
      let (above, below) = (row.first * self.width, row.second * self.width)
      for column in columns {
        let left =
          values[above + column.first] * (1 - row.share) + values[below + column.first] * row.share
        let right =
          values[above + column.second] * (1 - row.share) + values[below + column.second]
          * row.share
        result.append(left * (1 - column.share) + right * column.share)
      }
    }
    return ErrorMap(height: height, width: width, values: result)
  }

  /// The two pixels of a row that each pixel of a resized one lies between, and the second one's share.
  private static func neighbors(
    of count: Int, in source: Int
  ) -> [(first: Int, second: Int, share: Float)] {
    (0..<count).map { index in
      let place = (Double(index) + 0.5) * Double(source) / Double(count) - 0.5
      let first = min(max(Int(place.rounded(.down)), 0), source - 1)
      let share = min(max(place - Double(first), 0), 1)
      return (first, min(first + 1, source - 1), Float(share))
    }
  }
}

extension DepthMap {
  /// The map without the pixels that a network is not sure of: they have no value.
  ///
  /// ```swift
  /// if let errors = estimate.expectedError {
  ///   let sure = estimate.depth.keeping(atLeast: 0.8, of: errors)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - confidence: The least `ErrorMap.confidence` of a pixel that stays.
  ///   - errors: Of any size; it is stretched over the map.
  public func keeping(atLeast confidence: Float, of errors: ErrorMap) -> DepthMap {
    let errors = errors.resized(height: height, width: width)
    let missing = unit.missingValue
    return DepthMap(
      height: height, width: width, unit: unit,
      values: zip(values, errors.confidence).map { $1 >= confidence ? $0 : missing })
  }
}
