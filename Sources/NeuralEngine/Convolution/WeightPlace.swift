import DepthBase

/// The memory for a layer's packed weights.
package enum WeightPlace: Sendable {
  /// Memory owned by the layer.
  case own
  /// Memory that is not yet allocated. The layer has its shapes and sizes, but cannot run until its weights are
  /// packed.
  case later
  /// A workspace and an offset in floats. Consecutive layers share this place, so the system clears its pages
  /// only once.
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
