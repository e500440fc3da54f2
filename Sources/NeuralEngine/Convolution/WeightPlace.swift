import DepthBase

/// The memory for a layer's packed weights.
package enum WeightPlace: Sendable {
  /// Memory owned by the layer.
  case own
  /// Not allocated. The layer has its shapes and sizes but cannot run until its weights are packed.
  case later
  /// In a workspace from an offset, in floats. Consecutive layers share the place, so the system clears its pages
  /// once instead of once per layer.
  case workspace(Workspace, offset: Int)

  /// Memory for `count` floats, and the offset of the first.
  func storage(count: Int) -> (buffer: AlignedBuffer, offset: Int) {
    switch self {
    case .own: return (AlignedBuffer(count: count), 0)
    case .later: return (AlignedBuffer(count: 0), 0)
    case .workspace(let workspace, let offset):
      precondition(
        offset + count <= workspace.capacity,
        "\(count) floats of weights, the workspace has room for \(workspace.capacity - offset)")
      return (workspace.buffer, offset)
    }
  }

  /// Whether there is memory for weights.
  var holdsWeights: Bool {
    switch self {
    case .own, .workspace: true
    case .later: false
    }
  }
}
