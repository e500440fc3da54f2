/// The values of one generated tensor. Only one step rounds, so every machine and language computes
/// equal bits.
public enum WeightRule: Sendable, Equatable {
  /// Uniform in `-bound ..< bound`.
  case symmetric(Float)
  /// Uniform in `low ..< low + span`; `span` is a power of two.
  case range(low: Float, span: Float)
  case constant(Float)

  /// Writes the first `values.count` elements of the tensor `name`.
  public func fill(
    _ values: UnsafeMutableBufferPointer<Float>, name: String,
    seed: UInt64 = CounterStream.defaultSeed
  ) {
    let stream = CounterStream(name, seed: seed)
    switch self {
    case .symmetric(let bound):
      for i in 0..<values.count { values[i] = bound * (Float(stream[i]) * 0x1p-23 - 1) }
    case .range(let low, let span):
      for i in 0..<values.count { values[i] = low + span * (Float(stream[i]) * 0x1p-24) }
    case .constant(let value):
      values.update(repeating: value)
    }
  }
}

/// One tensor that can be generated.
public struct GeneratedTensor: Sendable {
  /// The name as `<layer>/<parameter>`.
  public let name: String
  public let shape: [Int]
  public let rule: WeightRule

  public var count: Int { shape.reduce(1, *) }

  /// All values in row-major order.
  public func elements(seed: UInt64 = CounterStream.defaultSeed) -> [Float] {
    [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      rule.fill(UnsafeMutableBufferPointer(rebasing: buffer[..<count]), name: name, seed: seed)
      initialized = count
    }
  }

  /// The tensors of one layer. Kernels are He-initialized, and batch norm keeps activations near 1.
  public static func tensors(of layer: FCRNLayerTable.Layer) -> [GeneratedTensor] {
    switch layer {
    case .convolution(let name, let outputs, let inputs, let height, let width, let hasBias):
      let gain = name == "ConvPred" ? 2.0 : 1.0
      let bound = (6 * gain / Double(inputs * height * width)).squareRoot()
      let kernel = GeneratedTensor(
        name: "\(name)/kernel", shape: [outputs, inputs, height, width],
        rule: .symmetric(Float(bound)))
      let biasRule: WeightRule =
        switch name {
        case "conv1": .symmetric(8)
        case "ConvPred": .constant(3)
        default: .symmetric(0.125)
        }
      let bias = GeneratedTensor(name: "\(name)/bias", shape: [outputs], rule: biasRule)
      return hasBias ? [kernel, bias] : [kernel]
    case .batchNorm(let name, let channels):
      let role = BatchNormRole(name)
      return [
        ("gamma", WeightRule.range(low: role.gamma, span: 0.5)),
        ("beta", .range(low: role.beta, span: 0.5)),
        ("mean", .symmetric(role.mean)),
        ("variance", .range(low: 0.75 * role.variance, span: 0.5 * role.variance)),
      ].map { GeneratedTensor(name: "\(name)/\($0)", shape: [channels], rule: $1) }
    }
  }
}

/// The parameter ranges of a batch norm at one place in the network.
private struct BatchNormRole {
  var gamma: Float
  var beta: Float
  var mean: Float = 0.25
  var variance: Float = 2

  init(_ name: String) {
    (gamma, beta) =
      if name == "layer1_BN" {
        (1, -0.25)
      } else if name == "bn_conv1" || name.hasSuffix("_br1_BN") {
        (1, -0.5)
      } else if name.hasSuffix("_BN") || name.hasSuffix("branch1") {
        (0.75, -0.25)
      } else if name.hasSuffix("branch2c") {
        (0.5, -0.25)
      } else {
        (1, -0.5)
      }
    if name == "bn_conv1" { (mean, variance) = (16, 32768) }
  }
}
