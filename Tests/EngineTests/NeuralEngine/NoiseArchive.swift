import NeuralEngine

/// An archive of pseudorandom tensors for the layers that a test builds.
struct NoiseArchive: WeightArchive {
  let name = "noise"
  private(set) var shapes: [String: [Int]] = [:]

  /// Adds the tensors of a convolution with bias.
  ///
  /// - Parameter shape: Output channels, input channels, rows, columns.
  mutating func addConvolution(_ layer: String, _ shape: [Int]) {
    shapes["\(layer)/kernel"] = shape
    shapes["\(layer)/bias"] = [shape[0]]
  }

  /// Adds the tensors of a batch norm.
  mutating func addBatchNorm(_ layer: String, channels: Int) {
    for parameter in ["gamma", "beta", "mean", "variance"] {
      shapes["\(layer)/\(parameter)"] = [channels]
    }
  }

  func text(_ attribute: String) -> String? { nil }

  func integers(_ attribute: String) -> [Int]? { nil }

  func numbers(_ attribute: String) -> [Double]? { nil }

  func attributeDescription(_ attribute: String) -> String? { nil }

  /// Values in −1 … 1, variances in 0.5 … 1.5.
  func elements(of tensor: String) -> [Float] {
    let values = noise(tensor, (shapes[tensor] ?? []).reduce(1, *))
    return tensor.hasSuffix("/variance") ? values.map { $0 * $0 + 0.5 } : values
  }
}
