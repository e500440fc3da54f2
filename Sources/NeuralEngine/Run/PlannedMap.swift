/// The place of one value of a run: a map of floats or of 8-bit codes.
package enum PlannedMap: Sendable, Hashable {
  case floats(FeatureMap)
  case codes(CodeMap)

  package var shape: Tensor.Shape {
    switch self {
    case .floats(let map): map.shape
    case .codes(let map): map.shape
    }
  }

  /// Floats from the beginning of the workspace.
  package var offset: Int {
    switch self {
    case .floats(let map): map.offset
    case .codes(let map): map.offset
    }
  }

  /// Floats that the map takes up.
  var extent: Int {
    switch self {
    case .floats(let map): map.extent
    case .codes(let map): map.extent
    }
  }

  /// One image of the map; nothing is copied.
  func image(_ index: Int) -> PlannedMap {
    switch self {
    case .floats(let map): .floats(map.image(index))
    case .codes(let map): .codes(map.image(index))
    }
  }

  /// The map's channels `range`; nothing is copied.
  func channels(_ range: Range<Int>) -> PlannedMap {
    switch self {
    case .floats(let map): .floats(map.channels(range))
    case .codes(let map): .codes(map.channels(range))
    }
  }

  /// The map of a step that reads or writes floats.
  var asFloats: FeatureMap {
    guard case .floats(let map) = self else {
      preconditionFailure("a map of codes, expected floats")
    }
    return map
  }

  /// The map of a step that reads or writes codes.
  var asCodes: CodeMap {
    guard case .codes(let map) = self else {
      preconditionFailure("a map of floats, expected codes")
    }
    return map
  }

  /// The map as a convolution on codes writes it.
  var asDestination: CodeConvolution.Destination {
    switch self {
    case .floats(let map): .floats(map)
    case .codes(let map): .codes(map)
    }
  }
}
