import DepthBase

/// The two map pixels around each column of a frame, and their weights.
struct ParallaxColumns: Sendable {
  /// The indices of the two map pixels, all smaller than ``length``.
  let first, second: [Int32]
  let firstWeights, secondWeights: [Float]
  /// Number of columns of the map.
  let length: Int

  init(_ taps: [ParallaxUpsampler.Tap], length: Int) {
    first = taps.map { Int32($0.first) }
    second = taps.map { Int32($0.second) }
    firstWeights = taps.map(\.firstWeight)
    secondWeights = taps.map(\.secondWeight)
    self.length = length
  }
}
