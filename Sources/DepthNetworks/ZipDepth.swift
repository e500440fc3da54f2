package import NeuralEngine

/// ZipDepth “base”: an encoder of reparameterized 3×3 convolutions with context modules, and a decoder of grouped 1×1 convolutions.
///
/// The input is `n × 32h × 32w × 3`, the output `n × 32h × 32w × 1`: nonnegative disparity of unknown scale and shift. Weights
/// are folded, so that each block of branches is one 3×3 convolution. The identity remains an addition, since it would
/// determine the kernel's quantization scale.
///
/// > Source: F. Tosi et al. “ZipDepth.” ECCV 2026, and the authors' code at revision a302e54.
package struct ZipDepth: Sendable {
  package let configuration: ZipDepthConfiguration
  /// The last node of the network's graph.
  package let output: Node

  /// Builds the network described by an archive, and checks that the archive contains exactly its weights.
  ///
  /// - Throws: `DepthError` that names the faulty tensor or attribute.
  package init(_ archive: any WeightArchive) throws {
    let configuration = try ZipDepthConfiguration(archive)
    let weights = WeightScope(archive, batchNormEpsilon: 0, isFolded: true)
    let encoder = try ZipDepthEncoder(weights)
    let decoder = try ZipDepthDecoder(weights, configuration.upsampling)
    try weights.requireEverythingUsed()
    self.configuration = configuration
    output = decoder(encoder(Node.input(channels: 3)))
  }

  /// The shape of one 4:3 photo.
  package var inputShape: Tensor.Shape {
    let side = ZipDepthConfiguration.inputSide
    return Tensor.Shape(height: side, width: side * 4 / 3, channels: 3)
  }
}

/// A block after reparameterization: y = ReLU(W ∗ x + b + x), without the last addition if the size changes.
struct RepBlock: Layer {
  let convolution: Conv2D
  let hasShortcut: Bool

  init(
    _ weights: WeightScope, _ block: String, stride: Int = 1, _ input: Int, _ output: Int
  ) throws {
    hasShortcut = stride == 1
    convolution = try Conv2D(
      weights, block, kernelSize: 3, stride: stride, input, output, hasBias: true,
      activation: .relu, measuredScale: .map)
  }

  func callAsFunction(_ x: Node) -> Node { convolution(x, adding: hasShortcut ? x : nil) }
}

/// The encoder: maps of 1/2, 1/4, 1/8, 1/16 and 1/32 of the resolution.
struct ZipDepthEncoder {
  /// The maps that the decoder reads, finest first.
  typealias Maps = (half: Node, quarter: Node, eighth: Node, sixteenth: Node, last: Node)

  /// Channels at 1/2 of the resolution, and of the four stages from 1/4 on.
  static let half = 24
  static let widths = [48, 96, 192, 384]

  let stemHalf, stemQuarter: Conv2D
  let stage1, stage2, stage3, stage4: Sequential
  let pyramid: PoolingPyramid
  let crossScale: CrossScale

  init(_ weights: WeightScope) throws {
    let w = Self.widths
    func blocks(_ stage: String, _ count: Int, _ width: Int) throws -> [any Layer] {
      try (0..<count).map { try RepBlock(weights, "\(stage).\($0)", width, width) }
    }
    func down(_ name: String, _ input: Int, _ output: Int) throws -> RepBlock {
      try RepBlock(weights, name, stride: 2, input, output)
    }
    stemHalf = try Conv2D(
      weights, "stem_half", kernelSize: 3, stride: 2, 3, Self.half, hasBias: true,
      activation: .relu)
    stemQuarter = try Conv2D(
      weights, "stem_quarter", kernelSize: 3, stride: 2, Self.half, w[0], hasBias: true,
      activation: .relu, measuredScale: .map)
    stage1 = Sequential(try blocks("stage1", 2, w[0]))
    // One 5×5 kernel combines the two dilations and the identity.
    let dilations = try DepthwiseConv2D(weights, "stage2.2", kernelSize: 5, channels: w[1])
    stage2 = Sequential(
      try [down("down2", w[0], w[1])] + blocks("stage2", 2, w[1]) + [
        dilations, StripGate2D(weights, "stage2.3", channels: w[1]),
      ])
    stage3 = Sequential(
      try [down("down3", w[1], w[2])] + blocks("stage3", 6, w[2]) + [
        ChannelContext2D.gate(
          weights, "stage3.6", kernels: ["stage3.6.fc.0", "stage3.6.fc.2"], channels: w[2],
          hidden: w[2] / 8),
        ChannelContext2D.addingAttended(
          weights, "stage3.7", attention: "stage3.7.context_weight",
          kernels: ["stage3.7.transform.0", "stage3.7.transform.3"], channels: w[2],
          hidden: w[2] / 4),
      ])
    stage4 = Sequential(try [down("down4", w[2], w[3])] + blocks("stage4", 2, w[3]))
    pyramid = try PoolingPyramid(weights, "spp", channels: w[3])
    crossScale = try CrossScale(weights, "cross_scale", w[2], w[3])
  }

  func callAsFunction(_ image: Node) -> Maps {
    let half = stemHalf(image)
    let quarter = stage1(stemQuarter(half))
    let eighth = stage2(quarter)
    let fine = stage3(eighth)
    let (sixteenth, last) = crossScale(fine, pyramid(stage4(fine)))
    return (half, quarter, eighth, sixteenth, last)
  }
}

/// A map and its maxima in growing windows, combined by a 1×1 convolution. The convolution is a sum with one term per map.
///
/// > Source: K. He et al. “Spatial Pyramid Pooling in Deep Convolutional Networks for Visual Recognition.” ECCV 2014.
/// > [arXiv:1406.4729](https://arxiv.org/abs/1406.4729); three windows of 5×5 in a row, as in YOLOv5.
struct PoolingPyramid: Layer {
  private static let window = 5

  let first: Conv2D
  let pools: [WindowMaximum2D]
  /// Convolutions of the map and its three maxima. Their results are summed.
  let parts: [Conv2D]

  init(_ weights: WeightScope, _ layer: String, channels: Int) throws {
    let width = channels / 4
    first = try Conv2D(
      weights, "\(layer).cv1", kernelSize: 1, channels, width, hasBias: true, activation: .relu,
      measuredScale: .map)
    pools = (1...3).map { WindowMaximum2D("\(layer).max\($0)", size: Self.window) }
    parts = try (0..<4).map { index in
      try Conv2D(
        weights, "\(layer).cv2.\(index)", kernelSize: 1, width, channels, hasBias: true,
        activation: index == 3 ? .relu : .none, measuredScale: .map)
    }
  }

  func callAsFunction(_ x: Node) -> Node {
    var map = first(x)
    var sum = parts[0](map)
    for (pool, part) in zip(pools, parts.dropFirst()) {
      map = pool(map)
      sum = part(map, adding: sum)
    }
    return sum
  }
}

/// Two levels of the encoder exchange features: each level adds a share of the other. The weights contain the shares.
struct CrossScale {
  private let lowToHigh, highToLow: GroupedConv2D
  private let enlarged: Resize2D
  private let reduced: Resize2D

  init(_ weights: WeightScope, _ layer: String, _ high: Int, _ low: Int) throws {
    lowToHigh = try GroupedConv2D(weights, "\(layer).low_to_high", groups: 4, low, high)
    highToLow = try GroupedConv2D(weights, "\(layer).high_to_low", groups: 4, high, low)
    enlarged = Resize2D("\(layer).enlarged", grid: .nearest)
    reduced = Resize2D("\(layer).reduced", grid: .centers)
  }

  /// The mean and the convolution commute, since both are linear and the kernel has one pixel. The mean comes first.
  func callAsFunction(_ high: Node, _ low: Node) -> (high: Node, low: Node) {
    (enlarged(lowToHigh(low), adding: high), highToLow(reduced.halved(high), adding: low))
  }
}
