import NeuralEngine

/// An archive of pseudorandom tensors for the layers that a test builds.
struct NoiseArchive: WeightArchive {
  let name = "noise"
  private(set) var shapes: [String: [Int]] = [:]

  /// Adds the tensors of a convolution with bias.
  ///
  /// - Parameter shape: Numbers of output channels, input channels, rows and columns.
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

  /// Variances are in 0.5 … 1.5, other values in −1 … 1.
  func elements(of tensor: String) -> [Float] {
    let values = noise(tensor, (shapes[tensor] ?? []).reduce(1, *))
    return tensor.hasSuffix("/variance") ? values.map { $0 * $0 + 0.5 } : values
  }
}
