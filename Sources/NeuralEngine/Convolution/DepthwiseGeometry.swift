/// The size, stride and channels of a depthwise convolution, which has one kernel per channel. Zero padding is (k − 1) / 2
/// on every side.
package struct DepthwiseGeometry: Sendable, Hashable, CustomStringConvertible {
  /// Rows and columns of a kernel, an odd number.
  package var kernelSize: Int
  /// Input rows and columns from one output to the next.
  package var stride: Int
  package var channels: Int

  /// - Precondition: The kernel's size is odd.
  package init(kernelSize: Int, stride: Int = 1, channels: Int) {
    precondition(kernelSize % 2 == 1, "a kernel of \(kernelSize), expected an odd number")
    (self.kernelSize, self.stride, self.channels) = (kernelSize, stride, channels)
  }

  /// Rows or columns of zeros on each side.
  package var padding: Int { (kernelSize - 1) / 2 }

  /// Weights per channel.
  package var taps: Int { kernelSize * kernelSize }

  /// `n × ⌈h / stride⌉ × ⌈w / stride⌉ × channels`.
  package func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    input.require(channels: channels)
    return Tensor.Shape(
      count: input.count, height: (input.height + stride - 1) / stride,
      width: (input.width + stride - 1) / stride, channels: channels)
  }

  /// Multiply–adds for one output shape.
  package func multiplyAdds(for output: Tensor.Shape) -> Int { output.rows * taps * channels }

  package var description: String {
    "\(kernelSize)×\(kernelSize) depthwise \(channels)" + (stride == 1 ? "" : " /\(stride)")
  }

  /// A word for tables, such as `dw5×5/2`.
  var kind: String { "dw\(kernelSize)×\(kernelSize)" + (stride == 1 ? "" : "/\(stride)") }
}
