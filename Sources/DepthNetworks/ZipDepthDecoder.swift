import NeuralEngine

/// One level of the decoder: ReLU(P · high + Q · low + b), with the low map enlarged. Q has one pixel and commutes with the
/// enlargement, since both are linear. Q comes first.
private struct Fusion {
  private let high, low: GroupedConv2D
  private let doubled: Resize2D

  init(_ weights: WeightScope, _ layer: String, high: Int, low: Int, _ output: Int) throws {
    self.high = try GroupedConv2D(
      weights, "\(layer).proj_high", groups: 4, high, output, activation: .relu)
    self.low = try GroupedConv2D(weights, "\(layer).proj_low", groups: 4, low, output)
    doubled = Resize2D("\(layer).doubled", grid: .centers)
  }

  func callAsFunction(_ map: Node, _ coarser: Node) -> Node {
    high(map, adding: doubled.doubled(low(coarser)))
  }
}

/// The decoder, which fuses the encoder's maps from coarse to fine and doubles the last map by learned combinations of
/// pixels.
struct ZipDepthDecoder {
  private let proj4: Conv2D
  private let fusions: [Fusion]
  private let head: Conv2D
  /// The layers that compute the scores for the last doubling.
  private let scores: Sequential
  private let upsampling: Upsampling2D

  init(
    _ weights: WeightScope, _ method: ZipDepthConfiguration.Upsampling
  ) throws {
    let widths = ZipDepthEncoder.widths
    let levels: [(name: String, high: Int, output: Int)] = [
      ("fuse3", widths[2], 192), ("fuse2", widths[1], 144), ("fuse1", widths[0], 96),
      ("fuse_half", ZipDepthEncoder.half, 32),
    ]
    var low = 288
    proj4 = try Conv2D(
      weights, "proj4", kernelSize: 1, widths[3], low, hasBias: true, activation: .relu,
      measuredScale: .map)
    fusions = try levels.map { level in
      defer { low = level.output }
      return try Fusion(weights, level.name, high: level.high, low: low, level.output)
    }
    head = try Conv2D(weights, "head_half", kernelSize: 3, low, 1, hasBias: true)
    switch method {
    case .convex:
      upsampling = Upsampling2D("convex_up", by: .convex)
      scores = Sequential([
        try Conv2D(
          weights, "mask_pred.0", kernelSize: 3, low, 8, hasBias: true, activation: .relu,
          measuredScale: .map),
        try Conv2D(weights, "mask_pred.3", kernelSize: 1, 8, 36, hasBias: true),
      ])
    case .gated:
      upsampling = Upsampling2D("gated_up", by: .gated)
      scores = Sequential([
        try Conv2D(
          weights, "where_conv.0", kernelSize: 1, low, 16, hasBias: true, activation: .relu,
          measuredScale: .map),
        try DepthwiseConv2D(
          weights, "where_conv.3", kernelSize: 5, channels: 16, activation: .relu),
        try Conv2D(weights, "where_conv.6", kernelSize: 1, 16, 1, hasBias: true),
      ])
    }
  }

  func callAsFunction(_ maps: ZipDepthEncoder.Maps) -> Node {
    var x = proj4(maps.last)
    for (fusion, map) in zip(fusions, [maps.sixteenth, maps.eighth, maps.quarter, maps.half]) {
      x = fusion(map, x)
    }
    return upsampling(head(x), by: scores(x))
  }
}
