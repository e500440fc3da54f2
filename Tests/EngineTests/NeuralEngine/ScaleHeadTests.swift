import DepthBase
import Foundation
import Testing
import _TestSupport

@testable import NeuralEngine

@Suite struct ScaleHeadTests {
  private static let shape = Tensor.Shape(count: 3, height: 9, width: 11, channels: 3)

  /// Features, a layer that alone reads them but for the head, and a last layer of two channels.
  private static func network(
    _ archive: CalibratedArchive, hasHead: Bool = true, featuresAreNonnegative: Bool = false
  ) throws -> Node {
    var archive = archive
    archive.base.addConvolution("features", [20, 3, 3, 3])
    archive.base.addConvolution("layer1", [8, 20, 1, 1])
    archive.base.addConvolution("last", [2, 8, 3, 3])
    archive.base.addConvolution("head", [1, 20, 1, 1])
    let weights = WeightScope(archive, batchNormEpsilon: 0, isFolded: true)
    let features = try Conv2D(
      weights, "features", kernelSize: 3, stride: 2, 3, 20, hasBias: true,
      activation: featuresAreNonnegative ? .relu : .none)(.input(channels: 3))
    let layer1 = try Conv2D(weights, "layer1", kernelSize: 1, 20, 8, hasBias: true)(features)
    let last = try Conv2D(
      weights, "last", kernelSize: 3, 8, 2, hasBias: true, activation: hasHead ? .none : .exp)(
        layer1)
    guard hasHead else { return last }
    return try ScaleHead2D(weights, "head", channels: 20)(last, features: features)
  }

  private static func run(
    _ node: Node, _ set: Int8InstructionSet? = nil, threads: Int = 1
  ) throws -> (output: Tensor, kept: [String: Tensor]) {
    let program = try node.compiled(forInput: shape, int8: set, threads: threads)
    let input = Tensor(shape: shape, elements: noise("x", shape.elementCount))
    return try program.run(
      input, in: .init(program.memoryPlan(forInput: shape, threads: threads)),
      keeping: ["features"])
  }

  private static func calibrated(scale: Float) -> CalibratedArchive {
    var archive = CalibratedArchive()
    archive.inputs["layer1"] = scale
    return archive
  }

  /// The result is that without the head, with its first channel times eⁿ of the image's number n.
  private static func expect(
    _ found: Tensor, is plain: Tensor, timesNumbersOf features: Tensor
  ) throws {
    var archive = NoiseArchive()
    archive.addConvolution("head", [1, 20, 1, 1])
    let numbers = referenceScaleNumbers(
      features: features, weights: archive.elements(of: "head/kernel"),
      bias: archive.elements(of: "head/bias")[0])
    #expect(Set(numbers).count == shape.count)
    for index in stride(from: 0, to: found.elements.count, by: 2) {
      let number = numbers[index / (2 * plain.shape.area)]
      let ratio = Double(found.elements[index]) / Double(plain.elements[index])
      // Two exponentials within 2 ulp each, of sums that are rounded.
      #expect(abs(log(ratio) - number) < 5e-6)
      #expect(found.elements[index + 1] == plain.elements[index + 1])
    }
  }

  @Test func firstChannelOfFloatsIsScaledByTheMean() throws {
    let archive = CalibratedArchive()
    let plain = try Self.run(Self.network(archive, hasHead: false))
    let node = try Self.network(archive)
    let found = try Self.run(node)
    try Self.expect(
      found.output, is: plain.output, timesNumbersOf: #require(found.kept["features"]))
    for threads in 2...3 { #expect(try Self.run(node, threads: threads).output == found.output) }
  }

  /// The mean is that of the quantized map, and the other layers compute as without the head: features stay quantized.
  @Test(arguments: [false, true])
  func meanOfQuantizedMapIsExact(featuresAreNonnegative: Bool) throws {
    let archive = Self.calibrated(scale: 0.03)
    let plain = try Self.network(
      archive, hasHead: false, featuresAreNonnegative: featuresAreNonnegative)
    let node = try Self.network(archive, featuresAreNonnegative: featuresAreNonnegative)
    let expected = try Self.run(plain, .baseline).output
    let found = try Self.run(node, .baseline)
    // A float32 mean would differ: values are rounded to multiples of .03.
    let program = try node.compiled(forInput: Self.shape, int8: .baseline, threads: 1)
    let value = try #require(program.values.first { $0.name.hasPrefix("features int8") })
    let quantization = try #require(value.quantization?.first)
    #expect(quantization.zeroPoint == (featuresAreNonnegative ? 0 : 128))
    let features = try #require(found.kept["features"])
    let rounded = Tensor(
      shape: features.shape,
      elements: features.elements.map { value in
        let rounded =
          (value / quantization.scale).rounded(.toNearestOrEven) + Float(quantization.zeroPoint)
        return (min(max(rounded, 0), 255) - Float(quantization.zeroPoint)) * quantization.scale
      })
    try Self.expect(found.output, is: expected, timesNumbersOf: rounded)
    #expect(
      program.layers.count
        == (try plain.compiled(forInput: Self.shape, int8: .baseline, threads: 1).layers.count) + 1)
    for set in Int8InstructionSet.tested {
      for threads in 1...3 {
        #expect(try Self.run(node, set, threads: threads).output == found.output)
      }
    }
  }

  @Test func lastLayerAndHeadAreNotCalibrated() throws {
    let node = try Self.network(CalibratedArchive())
    #expect(node.calibratedLayers(largest: [:]).map(\.layer) == ["layer1"])
  }
}
