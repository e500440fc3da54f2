/// The place of a run's value: a map of floats or a quantized map.
package enum PlannedMap: Sendable, Hashable {
  case floats(FeatureMap)
  case quantized(QuantizedMap)

  package var shape: Tensor.Shape {
    switch self {
    case .floats(let map): map.shape
    case .quantized(let map): map.shape
    }
  }

  /// Number of floats in the map.
  var extent: Int {
    switch self {
    case .floats(let map): map.extent
    case .quantized(let map): map.extent
    }
  }

  /// One image of the map, without a copy.
  func image(_ index: Int) -> PlannedMap {
    switch self {
    case .floats(let map): .floats(map.image(index))
    case .quantized(let map): .quantized(map.image(index))
    }
  }

  /// The map's channels `range`, without a copy.
  func channels(_ range: Range<Int>) -> PlannedMap {
    switch self {
    case .floats(let map): .floats(map.channels(range))
    case .quantized(let map): .quantized(map.channels(range))
    }
  }

  /// The map, for a layer on floats.
  var asFloats: FeatureMap {
    guard case .floats(let map) = self else {
      preconditionFailure("a quantized map, expected floats")
    }
    return map
  }

  /// The map, for a layer on quantized values.
  var asQuantized: QuantizedMap {
    guard case .quantized(let map) = self else {
      preconditionFailure("a map of floats, expected a quantized one")
    }
    return map
  }
}
