/// Numbers of successive frames, smoothed exponentially within a shot.
struct SteadyValues<Value: BinaryFloatingPoint & Codable & Sendable>: Codable, Sendable {
  /// The numbers of the last frame; `nil` before the first.
  private(set) var values: [Value]?

  /// The new frame's share.
  private static var rate: Value { 0.1 }

  /// The numbers for the next frame.
  ///
  /// - Parameters:
  ///   - new: The frame's own, as many as before.
  ///   - isCut: Whether frames before say nothing about this one.
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
