/// The convolutions of FCRN with EfficientNet-Lite2 in execution order, with batch norm folded.
/// Written from the paper's table and the file layout, not from the network under test.
public enum Lite2LayerTable {
  /// - Parameters:
  ///   - divisor: The divisor of every encoder width, 1…16.
  ///   - decoderWidths: Output channels of `layer1` and the four up-projections.
  public static func layers(
    widthDivisor divisor: Int = 1, decoderWidths: [Int], outputs: Int = 2,
    hasGlobalContext: Bool = true, hasSkipConnections: Bool = true
  ) -> [FCRNLayerTable.Layer] {
    var layers: [FCRNLayerTable.Layer] = []
    func convolution(_ name: String, _ inputs: Int, _ outputs: Int, _ height: Int, _ width: Int) {
      layers.append(.folded(name, inputs, outputs, height, width))
    }
    var channels = 32 / divisor
    convolution("stem_conv", 3, channels, 3, 3)
    let stages = [
      ("1", "a", 1, 3, 16), ("2", "abc", 6, 3, 24), ("3", "abc", 6, 5, 48), ("4", "abcd", 6, 3, 88),
      ("5", "abcd", 6, 5, 120), ("6", "abcde", 6, 5, 208), ("7", "a", 6, 3, 352),
    ]
    for (stage, blocks, expansion, kernel, width) in stages {
      for block in blocks {
        let (name, middle) = ("block\(stage)\(block)", channels * expansion)
        if expansion > 1 { convolution("\(name)_expand", channels, middle, 1, 1) }
        convolution("\(name)_depthwise", 1, middle, kernel, kernel)
        channels = max(width / divisor, 1)
        convolution("\(name)_project", middle, channels, 1, 1)
      }
    }
    return layers
      + FoldedDecoderTable.layers(
        channels: channels, widths: decoderWidths, outputs: outputs,
        hasGlobalContext: hasGlobalContext,
        skipped: hasSkipConnections ? [120, 48, 24, 16].map { max($0 / divisor, 1) } : [])
  }
}

/// The convolutions from `layer1` on, with batch norm folded.
private enum FoldedDecoderTable {
  /// - Parameter skipped: Channels of the encoder maps that up-projections add to their results.
  static func layers(
    channels: Int, widths: [Int], outputs: Int, hasGlobalContext: Bool, skipped: [Int]
  ) -> [FCRNLayerTable.Layer] {
    var layers: [FCRNLayerTable.Layer] = []
    func convolution(_ name: String, _ inputs: Int, _ outputs: Int, _ height: Int, _ width: Int) {
      layers.append(.folded(name, inputs, outputs, height, width))
    }
    convolution("layer1", channels, widths[0], 1, 1)
    if hasGlobalContext { convolution("layer1_context", widths[0], widths[0], 1, 1) }
    for (index, tag) in ["2x", "4x", "8x", "16x"].enumerated() {
      let (inputs, outputs) = (widths[index], widths[index + 1])
      for branch in ["br1", "br2"] {
        for (part, height, width) in [("A", 3, 3), ("B", 2, 3), ("C", 3, 2), ("D", 2, 2)] {
          convolution("layer\(tag)_\(branch)_Conv\(part)", inputs, outputs, height, width)
        }
        if branch == "br1" { convolution("layer\(tag)_Conv", outputs, outputs, 3, 3) }
      }
      if !skipped.isEmpty { convolution("layer\(tag)_skip", skipped[index], outputs, 1, 1) }
    }
    convolution("ConvPred", widths[4], outputs, 3, 3)
    return layers
  }
}

extension FCRNLayerTable.Layer {
  /// A convolution whose bias is a folded batch norm.
  fileprivate static func folded(
    _ name: String, _ inputs: Int, _ outputs: Int, _ height: Int, _ width: Int
  ) -> Self {
    .convolution(
      name, outputs: outputs, inputs: inputs, height: height, width: width, hasBias: true)
  }
}
