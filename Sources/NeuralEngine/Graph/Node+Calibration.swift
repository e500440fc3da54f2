/// The scales by which the maps around one layer are quantized to 8 bits.
package struct CalibratedLayer: Sendable, Equatable {
  /// The weights' group.
  package let layer: String
  /// The scale of the map that the layer reads.
  package let inputScale: Float
  /// The scale of the map that it adds; `nil` where it adds none.
  package let residualScale: Float?
}

extension Node {
  /// Whether the archive of some layer has the scale of its input.
  package var isCalibrated: Bool {
    get throws { try ordered().contains { try $0.weights.first?.inputScale() != nil } }
  }

  /// The scales of all layers that compute with quantized values: dense convolutions of at most 3×3 taps and depthwise ones, but not
  /// the one that makes the network's output, which would lose the most and gain the least, nor those that read its input,
  /// whose scales need no calibration.
  ///
  /// - Parameter largest: The largest magnitude of each map by the name of its value; the largest value falls on the
  ///   largest quantized value.
  package func calibratedLayers(largest: [String: Float]) -> [CalibratedLayer] {
    func scale(_ node: Node) -> Float {
      max(largest[node.name] ?? 0, 1e-6) / (node.isNonnegative ? 255 : 127)
    }
    return ordered().flatMap { node -> [CalibratedLayer] in
      guard node !== self, let source = node.inputs.first, !source.isNetworkInput,
        let operation = node.operation, operation.canQuantize(reading: source)
      else { return [] }
      return operation.weights.map {
        CalibratedLayer(
          layer: $0.layer, inputScale: scale(source),
          residualScale: node.inputs.dropFirst().first.map(scale))
      }
    }
  }

  /// Whether it has linear layers of tokens, each of which integers give a scale of its own while the network runs.
  package var hasTokens: Bool { measures(.pixel) }

  /// Whether integers measure scales of some layers while the network runs, so that none need be stored.
  package var measuresScales: Bool { hasTokens || measures(.map) }

  private func measures(_ scale: MeasuredScale) -> Bool {
    ordered().contains { $0.operation?.measuredScale == scale }
  }
}
