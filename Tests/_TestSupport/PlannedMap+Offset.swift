package import NeuralEngine

extension PlannedMap {
  /// The map's offset from the beginning of the workspace, in floats.
  package var offset: Int {
    switch self {
    case .floats(let map): map.offset
    case .quantized(let map): map.offset
    }
  }
}
