import HDF5Files

extension GeneratedWeights {
  /// Weights of FCRN with EfficientNet-Lite2, equal to those of `Tools/training/goldens/lite2.py`.
  ///
  /// - Parameters:
  ///   - widthDivisor: The divisor of every encoder width.
  ///   - decoderWidths: Output channels of `layer1` and the four up-projections.
  package static func lite2(
    widthDivisor: Int = 8, decoderWidths: [Int] = [16, 9, 8, 5, 4], outputs: Int = 2,
    hasGlobalContext: Bool = true, hasSkipConnections: Bool = true, height: Int = 64,
    width: Int = 96, seed: UInt64 = CounterStream.defaultSeed
  ) -> GeneratedWeights {
    let layers = Lite2LayerTable.layers(
      widthDivisor: widthDivisor, decoderWidths: decoderWidths, outputs: outputs,
      hasGlobalContext: hasGlobalContext, hasSkipConnections: hasSkipConnections)
    return folded(
      layers, architecture: "fcrn-efficientnet-lite2-upproj",
      [
        "width_divisor": .integers([widthDivisor]),
        "decoder_widths": .integers(decoderWidths),
        "input_height": .integers([height]),
        "input_width": .integers([width]),
        "pixel_mean": .numbers([127, 127, 127]),
        "outputs": .integers([outputs]),
        "global_context": .integers([hasGlobalContext ? 1 : 0]),
        "skip_connections": .integers([hasSkipConnections ? 1 : 0]),
      ], seed: seed)
  }

  private static func folded(
    _ layers: [FCRNLayerTable.Layer], architecture: String,
    _ attributes: [String: HDF5Attribute], seed: UInt64
  ) -> GeneratedWeights {
    GeneratedWeights(
      tensors: layers.flatMap(GeneratedTensor.foldedTensors(of:)),
      attributes: [
        "format_name": .text("fcrn-hdf5"),
        "format_version": .integers([1]),
        "content": .text("weights"),
        "architecture": .text(architecture),
        "bn_folded": .integers([1]),
        "bn_epsilon": .numbers([1e-4]),
        "channel_order": .text("RGB"),
        "pixel_scale": .numbers([1]),
        "kernel_layout": .text("OIHW"),
        "upproj_padding": .text("topleft"),
        "output_activation": .text("exp"),
        "output_unit": .text("metre"),
      ].merging(attributes) { $1 }, seed: seed)
  }
}

extension GeneratedTensor {
  /// The tensors of a folded convolution. Uniform kernels give results of order one.
  static func foldedTensors(of layer: FCRNLayerTable.Layer) -> [GeneratedTensor] {
    guard case .convolution(let name, let outputs, let inputs, let height, let width, _) = layer
    else { return [] }
    // The bound is a power of two, so every language computes the same bound.
    var bound = Float(1)
    while Double(bound) * Double(bound) * Double(inputs * height * width) > 12 { bound /= 2 }
    switch name {
    case "conv1": bound /= 256
    case "stem_conv": bound /= 64
    case "ConvPred": bound /= 128
    case _ where name.hasPrefix("res"): bound /= 2
    default: break
    }
    return [
      GeneratedTensor(
        name: "\(name)/kernel", shape: [outputs, inputs, height, width], rule: .symmetric(bound)),
      GeneratedTensor(name: "\(name)/bias", shape: [outputs], rule: .symmetric(0.5)),
    ]
  }
}
