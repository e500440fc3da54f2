package import NeuralEngine

extension PlannedMap {
  /// Floats from the beginning of the workspace.
  package var offset: Int {
    switch self {
    case .floats(let map): map.offset
    case .quantized(let map): map.offset
    }
  }
}
