/// Generated weights of ZipDepth under its authors' names.
extension PublishedWeights {
  /// Branches and batch norms as in published files, with activations near 1.
  ///
  /// - Parameter isGated: Whether a gate doubles the last map, as in the file for NPUs.
  package static func zipDepth(isGated: Bool = false, seed: UInt64 = 1) -> PublishedWeights {
    var tensors: [String: Tensor] = [
      "mean": Tensor(shape: [1, 3, 1, 1], values: [0.485, 0.456, 0.406]),
      "std": Tensor(shape: [1, 3, 1, 1], values: [0.229, 0.224, 0.225]),
    ]
    func add(_ name: String, _ shape: [Int], _ rule: WeightRule) {
      tensors[name] = Tensor(
        shape: shape,
        values: GeneratedTensor(name: name, shape: shape, rule: rule).elements(seed: seed))
    }
    func conv(_ name: String, _ outputs: Int, _ inputs: Int, _ size: Int, bias: Bool = false) {
      let bound = (3 / Double(inputs * size * size)).squareRoot()
      add("\(name).weight", [outputs, inputs, size, size], .symmetric(Float(bound)))
      if bias { add("\(name).bias", [outputs], .symmetric(0.125)) }
    }
    func norm(_ name: String, _ channels: Int) {
      add("\(name).weight", [channels], .range(low: 0.5, span: 0.5))
      add("\(name).bias", [channels], .symmetric(0.125))
      add("\(name).running_mean", [channels], .symmetric(0.125))
      add("\(name).running_var", [channels], .range(low: 0.75, span: 0.5))
    }
    func both(_ name: String, _ outputs: Int, _ inputs: Int, _ size: Int) {
      conv("\(name).conv", outputs, inputs, size)
      norm("\(name).bn", outputs)
    }
    func block(_ name: String, _ outputs: Int, _ inputs: Int) {
      for (branch, size) in [("branch_3x3", 3), ("branch_1x1", 1)] {
        conv("encoder.\(name).\(branch).0", outputs, inputs, size)
        norm("encoder.\(name).\(branch).1", outputs)
      }
    }
    let widths = [48, 96, 192, 384]
    both("encoder.stem_half", 24, 3, 3)
    both("encoder.stem_quarter", 48, 24, 3)
    for (stage, count) in [2, 2, 6, 2].enumerated() {
      let width = widths[stage]
      if stage > 0 { block("down\(stage + 1)", width, widths[stage - 1]) }
      for index in 0..<count { block("stage\(stage + 1).\(index)", width, width) }
    }
    conv("encoder.stage2.2.branch1", 96, 1, 3)
    conv("encoder.stage2.2.branch2", 96, 1, 3)
    norm("encoder.stage2.2.bn", 96)
    conv("encoder.stage2.3.gate_conv.0", 96, 1, 1)
    norm("encoder.stage2.3.gate_conv.1", 96)
    conv("encoder.stage3.6.fc.0", 24, 192, 1)
    conv("encoder.stage3.6.fc.2", 192, 24, 1)
    conv("encoder.stage3.7.context_weight", 1, 192, 1, bias: true)
    conv("encoder.stage3.7.transform.0", 48, 192, 1, bias: true)
    norm("encoder.stage3.7.transform.1", 48)
    conv("encoder.stage3.7.transform.3", 192, 48, 1, bias: true)
    both("encoder.spp.cv1", 96, 384, 1)
    both("encoder.spp.cv2", 384, 384, 1)
    conv("encoder.cross_scale.low_to_high", 192, 96, 1)
    conv("encoder.cross_scale.high_to_low", 384, 48, 1)
    both("decoder.proj4", 288, 384, 1)
    for (name, high, low, outputs) in [
      ("fuse3", 48, 72, 192), ("fuse2", 24, 48, 144), ("fuse1", 12, 36, 96),
      ("fuse_half", 6, 24, 32),
    ] {
      conv("decoder.\(name).proj_high", outputs, high, 1)
      conv("decoder.\(name).proj_low", outputs, low, 1)
      norm("decoder.\(name).bn", outputs)
    }
    conv("decoder.head_half", 1, 32, 3)
    // The map is above zero at nearly every pixel.
    add("decoder.head_half.bias", [1], .constant(2))
    if isGated {
      conv("decoder.convex_up.where_conv.0", 16, 32, 1)
      norm("decoder.convex_up.where_conv.1", 16)
      conv("decoder.convex_up.where_conv.3", 16, 1, 5)
      norm("decoder.convex_up.where_conv.4", 16)
      conv("decoder.convex_up.where_conv.6", 1, 16, 1)
    } else {
      conv("decoder.convex_up.mask_pred.0", 8, 32, 3)
      norm("decoder.convex_up.mask_pred.1", 8)
      conv("decoder.convex_up.mask_pred.3", 36, 8, 1, bias: true)
    }
    return PublishedWeights(tensors: tensors)
  }
}
