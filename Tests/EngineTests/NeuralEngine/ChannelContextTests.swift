import Testing
import _TestSupport

@testable import NeuralEngine

@Suite struct ChannelContextTests {
  /// y = x + W · mean(x) + b for each image.
  @Test(
    "global context adds a linear function of the mean to each pixel",
    arguments: [(1, 1, 1), (1, 2, 3), (5, 7, 16), (8, 10, 33)])
  func addsLinearFunctionOfTheMean(height: Int, width: Int, channels: Int) throws {
    var archive = NoiseArchive()
    archive.addConvolution("context", [channels, channels, 1, 1])
    let weights = WeightScope(archive, batchNormEpsilon: 0, isFolded: true)
    let node = try ChannelContext2D.addingMean(weights, "context", channels: channels)(
      .input(channels: channels))
    try weights.requireEverythingUsed()
    let shape = Tensor.Shape(count: 3, height: height, width: width, channels: channels)
    let x = noise("x", shape.elementCount)
    let kernel = archive.elements(of: "context/kernel").map(Double.init)
    let bias = archive.elements(of: "context/bias").map(Double.init)
    let expected = (0..<shape.count).flatMap { image -> [Double] in
      let pixels = x[image * shape.area * channels..<(image + 1) * shape.area * channels].map(
        Double.init)
      let means = (0..<channels).map { c in
        stride(from: c, to: pixels.count, by: channels).reduce(0.0) { $0 + pixels[$1] }
          / Double(shape.area)
      }
      return pixels.enumerated().map { index, value in
        let o = index % channels
        return (0..<channels).reduce(value + bias[o]) {
          $0 + kernel[o * channels + $1] * means[$1]
        }
      }
    }
    var first: Tensor?
    for threads in 1...3 {
      let program = try node.compiled(forInput: shape, threads: threads)
      let plan = program.memoryPlan(forInput: shape, threads: threads)
      let result = try program.run(Tensor(shape: shape, elements: x), in: .init(plan)).output
      expectClose(result.elements, expected, absolute: 1e-5)
      if let first { #expect(result == first) }
      first = result
    }
  }
}
