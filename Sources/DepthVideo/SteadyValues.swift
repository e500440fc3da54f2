/// Numbers that are smoothed exponentially over the frames of a shot.
struct SteadyValues<Value: BinaryFloatingPoint & Codable & Sendable>: Codable, Sendable {
  /// The numbers of the last frame; `nil` before the first frame.
  private(set) var values: [Value]?

  /// The weight of the new frame.
  private static var rate: Value { 0.1 }

  /// The smoothed numbers of the next frame.
  ///
  /// - Parameters:
  ///   - new: The frame's numbers. All frames have equally many numbers.
  ///   - isCut: Whether earlier frames belong to another shot.
  mutating func next(_ new: [Value], isCut: Bool) -> [Value] {
    var result = new
    if let values, !isCut, values.count == new.count {
      for index in result.indices {
        result[index] = values[index] + Self.rate * (new[index] - values[index])
      }
    }
    values = result
    return result
  }

  /// Replaces the numbers of the last frame.
  mutating func set(_ values: [Value]?) { self.values = values }
}
