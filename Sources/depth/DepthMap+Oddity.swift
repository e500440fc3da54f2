import DepthImages

extension DepthMap {
  /// What no photo explains about a network's map in metres: weights of a file may be finite and nonsense.
  var oddity: String? {
    let known = values.count { hasValue($0) }
    let missing = 1 - Double(known) / Double(max(values.count, 1))
    if missing > 0.5 {
      return "\((missing * 100).rounded()) % of its map has no value; are the weights right?"
    }
    guard let median, !Self.distances.contains(median) else { return nil }
    return "the middle of its map is at \(median) m; are the weights right?"
  }

  /// Metres that the middle of a photo's depths may have.
  private static let distances: ClosedRange<Float> = 0.01...10_000
}
