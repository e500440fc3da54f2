/// max(x, 0) as a separate layer, for maps that are also read without the bound.
package struct ReLU: Layer {
  private let name: String

  package init(_ name: String) { self.name = name }

  package func callAsFunction(_ x: Node) -> Node {
    Node(Rectifier(), layer: name, name: name, channels: x.channels, inputs: [x])
  }
}

/// Bilinear interpolation.
package struct Resize2D: Sendable {
  private let name: String
  private let grid: SamplingGrid

  package init(_ name: String, grid: SamplingGrid = .corners) {
    (self.name, self.grid) = (name, grid)
  }

  /// The map at twice its size.
  package func doubled(_ x: Node) -> Node { resized(x, to: .doubled) }

  /// The map at half its size. With ``SamplingGrid/centers``, each pixel is the mean of 2 × 2 pixels.
  package func halved(_ x: Node) -> Node { resized(x, to: .halved) }

  private func resized(_ x: Node, to size: BilinearResize.Size) -> Node {
    Node(
      BilinearResize(size: size, grid: grid), layer: name, name: name, channels: x.channels,
      inputs: [x])
  }

  /// The map resized to the size of another map, which is added.
  package func callAsFunction(_ x: Node, adding other: Node) -> Node {
    precondition(
      x.channels == other.channels, "\(x.channels) channels and \(other.channels) to add")
    return Node(
      BilinearResize(size: .first, grid: grid), layer: name, name: name, channels: x.channels,
      inputs: [other, x])
  }
}

/// A transposed convolution with a bias, whose kernel is as large as its stride.
package struct TransposedConv2D: Layer {
  private let layer: String
  private let operation: TransposedConvolution

  /// - Parameters:
  ///   - layer: The weights' group, whose kernel is `output × input × stride × stride`.
  ///   - stride: Factor of height and width.
  /// - Throws: `DepthError` when a tensor is missing, mis-shaped or not finite.
  package init(
    _ weights: WeightScope, _ layer: String, stride: Int, _ inputChannels: Int,
    _ outputChannels: Int
  ) throws {
    self.layer = layer
    operation = TransposedConvolution(
      stride: stride, inputChannels: inputChannels,
      kernels: try ConvolutionWeights(
        weights, layer: layer, norm: nil, hasBias: true,
        shape: [outputChannels, inputChannels, stride, stride]))
  }

  package func callAsFunction(_ x: Node) -> Node {
    x.require(channels: operation.inputChannels)
    return Node(
      operation, layer: layer, name: layer, channels: operation.kernels.outputChannels, inputs: [x])
  }
}

/// The last layers of a dense prediction transformer: resize to the size of the network's input, 3×3 convolution, ReLU, 1×1
/// convolution to one channel, activation.
package struct DenseOutput2D: Sendable {
  private let layers: (hidden: String, last: String)
  private let operation: DenseOutput

  /// - Parameters:
  ///   - hidden: The weights' group of the 3×3 convolution.
  ///   - last: The weights' group of the 1×1 convolution.
  /// - Throws: `DepthError` when a tensor is missing, mis-shaped or not finite.
  package init(
    _ weights: WeightScope, _ hidden: String, _ last: String, _ inputChannels: Int,
    hiddenChannels: Int, activation: DenseActivation
  ) throws {
    layers = (hidden, last)
    operation = DenseOutput(
      inputChannels: inputChannels,
      hidden: try ConvolutionWeights(
        weights, layer: hidden, norm: nil, hasBias: true,
        shape: [hiddenChannels, inputChannels, 3, 3]),
      last: try ConvolutionWeights(
        weights, layer: last, norm: nil, hasBias: true, shape: [1, hiddenChannels, 1, 1]),
      activation: activation)
  }

  /// - Parameter image: The network's input.
  package func callAsFunction(_ x: Node, sizeOf image: Node) -> Node {
    x.require(channels: operation.inputChannels)
    return Node(
      operation, layer: layers.hidden, name: layers.last, channels: 1, inputs: [image, x])
  }
}
