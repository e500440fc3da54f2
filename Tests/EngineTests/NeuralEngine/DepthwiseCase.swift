import Testing

/// One depthwise convolution. Sizes are beside multiples of vectors and pixel blocks.
struct DepthwiseCase: Sendable, CustomTestStringConvertible {
  var kernel = 3
  var stride = 1
  var count = 1
  var height, width, channels: Int

  var testDescription: String {
    "\(kernel)×\(kernel)/\(stride) \(channels) on \(count)×\(height)×\(width)"
  }

  static let all: [DepthwiseCase] = [3, 5].flatMap { kernel in
    [1, 2].flatMap { stride in
      [
        (1, 1, 1, 1), (1, 2, 1, 7), (1, 1, 2, 16), (1, 3, 3, 5), (2, 4, 5, 33), (1, 7, 9, 8),
        (1, 6, 12, 17), (3, 5, 2, 31), (1, 9, 21, 48), (1, 37, 3, 3), (1, 4, 35, 15),
        (1, 17, 16, 64),
      ].map { count, height, width, channels in
        DepthwiseCase(
          kernel: kernel, stride: stride, count: count, height: height, width: width,
          channels: channels)
      }
    }
  }
}
