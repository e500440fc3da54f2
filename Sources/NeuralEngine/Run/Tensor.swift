/// Activations of a batch of images: dense, row-major `n × h × w × c` (NHWC), 32-bit floats.
package struct Tensor: Sendable, Equatable {
  /// The extents of a tensor along its four axes.
  package struct Shape: Hashable, Sendable, CustomStringConvertible {
    /// Images in the batch.
    package var count: Int
    package var height, width, channels: Int

    /// - Precondition: No extent is negative.
    package init(count: Int = 1, height: Int, width: Int, channels: Int) {
      precondition(
        min(count, height, width, channels) >= 0,
        "shape \(count)×\(height)×\(width)×\(channels) has a negative extent")
      (self.count, self.height, self.width, self.channels) = (count, height, width, channels)
    }

    /// Pixels of one image, `h·w`.
    package var area: Int { height * width }
    /// Pixels of the whole batch, `n·h·w`, which are the matrix rows of a 1×1 convolution.
    package var rows: Int { count * area }
    /// Number of elements, `n·h·w·c`.
    package var elementCount: Int { rows * channels }

    /// The same extents with another number of channels.
    func with(channels: Int) -> Shape {
      Shape(count: count, height: height, width: width, channels: channels)
    }

    /// - Precondition: There are `expected` channels.
    func require(channels expected: Int) {
      precondition(channels == expected, "x has \(channels) channels, expected \(expected)")
    }

    package var description: String {
      (count == 1 ? "" : "\(count) × ") + "\(height) × \(width) × \(channels)"
    }
  }

  /// The extents of the batch.
  package let shape: Shape
  /// `shape.elementCount` values; element `(n, y, x, c)` is at `((n·h + y)·w + x)·channels + c`.
  package let elements: [Float]

  /// - Precondition: `elements.count == shape.elementCount`.
  package init(shape: Shape, elements: [Float]) {
    precondition(
      elements.count == shape.elementCount,
      "\(elements.count) elements for shape \(shape), expected \(shape.elementCount)")
    self.shape = shape
    self.elements = elements
  }
}
