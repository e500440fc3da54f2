/// The size, stride, padding and channels of a convolution, without its weights.
package struct ConvolutionGeometry: Sendable, Hashable, CustomStringConvertible {
  /// The values around the input.
  package enum Border: Sendable, Hashable {
    case zeros
    /// The values of the nearest pixel, for 3×3 kernels of stride 1.
    case repeated
  }

  /// Rows and columns around the input.
  package struct Padding: Sendable, Hashable {
    package var top, bottom, left, right: Int

    package static let none = Padding(top: 0, bottom: 0, left: 0, right: 0)

    /// (k − 1) / 2 on every side, as in every plain convolution of FCRN.
    package static func symmetric(kernelHeight: Int, kernelWidth: Int) -> Padding {
      Padding(
        top: (kernelHeight - 1) / 2, bottom: (kernelHeight - 1) / 2, left: (kernelWidth - 1) / 2,
        right: (kernelWidth - 1) / 2)
    }
  }

  /// Rows and columns of the kernel.
  package var kernelHeight, kernelWidth: Int
  /// Input rows and columns from one output to the next.
  package var stride: Int
  package var padding: Padding
  package var border: Border
  package var inputChannels, outputChannels: Int

  package init(
    kernelHeight: Int, kernelWidth: Int, stride: Int = 1, padding: Padding? = nil,
    border: Border = .zeros, inputChannels: Int, outputChannels: Int
  ) {
    (self.kernelHeight, self.kernelWidth) = (kernelHeight, kernelWidth)
    (self.stride, self.border) = (stride, border)
    self.padding =
      padding ?? .symmetric(kernelHeight: kernelHeight, kernelWidth: kernelWidth)
    (self.inputChannels, self.outputChannels) = (inputChannels, outputChannels)
  }

  /// `n × h′ × w′ × outputChannels` with h′ = ⌊(h + top + bottom − kernelHeight) / stride⌋ + 1, and
  /// likewise w′.
  package func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    input.require(channels: inputChannels)
    return Tensor.Shape(
      count: input.count,
      height: (input.height + padding.top + padding.bottom - kernelHeight) / stride + 1,
      width: (input.width + padding.left + padding.right - kernelWidth) / stride + 1,
      channels: outputChannels)
  }

  /// Weights per pair of channels.
  package var taps: Int { kernelHeight * kernelWidth }

  /// Multiply–adds of the direct form for one output shape.
  package func multiplyAdds(for output: Tensor.Shape) -> Int {
    output.rows * taps * inputChannels * outputChannels
  }

  /// The largest padding of the four sides, in rows or columns.
  var largestPadding: Int { max(padding.top, padding.bottom, padding.left, padding.right) }

  package var description: String {
    "\(kernelHeight)×\(kernelWidth) \(inputChannels)→\(outputChannels)"
      + (stride == 1 ? "" : " /\(stride)")
  }

  /// A word for tables, such as `7×7/2`.
  var kind: String {
    "\(kernelHeight)×\(kernelWidth)" + (stride == 1 ? "" : "/\(stride)")
  }
}
