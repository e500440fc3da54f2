/// The scales for quantizing the maps around one layer to 8 bits.
package struct CalibratedLayer: Sendable, Equatable {
  /// The weights' group.
  package let layer: String
  /// The scale of the input map.
  package let inputScale: Float
  /// The scale of the residual; `nil` without a residual.
  package let residualScale: Float?
}

extension Node {
  /// Whether the archive has an input scale for any layer.
  package var isCalibrated: Bool {
    get throws { try ordered().contains { try $0.weights.first?.inputScale() != nil } }
  }

  /// The scales of all layers that compute with quantized values: dense convolutions of at most 3×3 taps, and depthwise
  /// convolutions.
  ///
  /// The last layer is excluded, since it would lose the most and gain the least. Layers that read the network's input are
  /// also excluded, since the input's scale needs no calibration.
  ///
  /// - Parameter largest: The largest magnitude of each map by value name, which becomes the largest quantized value.
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

  /// Whether the network has linear layers of tokens, whose integer form measures one scale per token during the run.
  package var hasTokens: Bool { measures(.pixel) }

  /// Whether integer layers measure scales during the run, so that no scales need be stored.
  package var measuresScales: Bool { hasTokens || measures(.map) }

  private func measures(_ scale: MeasuredScale) -> Bool {
    ordered().contains { $0.operation?.measuredScale == scale }
  }
}
