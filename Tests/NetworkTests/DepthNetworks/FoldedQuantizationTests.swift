import DepthBase
import DepthNetworks
import Testing
import _TestSupport

@testable import NeuralEngine

/// An archive with the added scales of maps.
private struct CalibratedWeights: WeightArchive {
  let base: GeneratedWeights
  var inputs: [String: Float] = [:]
  var residuals: [String: Float] = [:]

  var name: String { base.name }
  var shapes: [String: [Int]] { base.shapes }
  func text(_ attribute: String) -> String? { base.text(attribute) }
  func integers(_ attribute: String) -> [Int]? { base.integers(attribute) }
  func numbers(_ attribute: String) -> [Double]? { base.numbers(attribute) }
  func attributeDescription(_ attribute: String) -> String? {
    base.attributeDescription(attribute)
  }
  func elements(of tensor: String) throws -> [Float] { try base.elements(of: tensor) }
  func inputScale(of layer: String) -> Float? { inputs[layer] }
  func residualScale(of layer: String) -> Float? { residuals[layer] }
}

/// FCRN with EfficientNet-Lite2, computed with 8-bit quantized values.
@Suite struct FoldedQuantizationTests {
  private static let shape = Tensor.Shape(count: 2, height: 64, width: 96, channels: 3)

  private static func input(mean: Float) -> Tensor {
    let stream = CounterStream("photo")
    return Tensor(
      shape: shape, elements: (0..<shape.elementCount).map { Float(stream[$0] & 255) - mean })
  }

  private static func program(
    _ weights: CalibratedWeights, _ set: Int8InstructionSet?
  ) throws -> Program {
    try FCRN(weights).output.compiled(forInput: shape, int8: set, threads: 2)
  }

  private static func run(
    _ program: Program, mean: Float = 127, threads: Int, keeping names: Set<String> = []
  ) throws -> (output: Tensor, kept: [String: Tensor]) {
    try program.run(
      input(mean: mean), in: .init(program.memoryPlan(forInput: shape, threads: threads)),
      keeping: names)
  }

  /// The network with scales that a run of the network measured.
  private static func calibrated(
    _ base: GeneratedWeights = .lite2(), mean: Float = 127
  ) throws -> CalibratedWeights {
    var weights = CalibratedWeights(base: base)
    let program = try program(weights, nil)
    let kept = try run(program, mean: mean, threads: 2, keeping: Set(program.valueNames)).kept
    let layers = try FCRN(weights).output.calibratedLayers(
      largest: kept.mapValues { $0.elements.reduce(0) { max($0, abs($1)) } })
    for layer in layers {
      weights.inputs[layer.layer] = layer.inputScale
      weights.residuals[layer.layer] = layer.residualScale
    }
    return weights
  }

  @Test("every Lite2 layer except stem, context and output is calibrated")
  func allButContextAndOutputAreCalibrated() throws {
    let weights = try Self.calibrated()
    let layers = Set(weights.base.shapes.keys.compactMap { $0.split(separator: "/").first })
    let missing = layers.filter { weights.inputs[String($0)] == nil }
    #expect(Set(missing) == ["stem_conv", "layer1_context", "ConvPred"])
    // Shortcuts of bottlenecks, second branches of up-projections, and sums with skip maps.
    #expect(weights.residuals.count == 14 + 4 + 4)
    // A ReLU6 has values up to 6.
    #expect(try #require(weights.inputs["block2b_project"]) <= 6 / 255)
  }

  @Test("Lite2 in int8 gives equal bits on all instruction sets")
  func integersHaveTheSameBitsEverywhere() throws {
    let weights = try Self.calibrated()
    let first = try Self.program(weights, .baseline)
    let floats = first.layers.compactMap { layer -> String? in
      switch layer.operation {
      case is QuantizedConvolution, is QuantizedDepthwiseConvolution, is Quantization: nil
      default: layer.name
      }
    }
    // The last two layers compute together in strips.
    #expect(floats == ["layer1_context", "layer16x_skip+ConvPred"])
    // 5×5 kernels have a border of two pixels, 3×3 kernels a border of one pixel.
    let borders = Dictionary(
      first.values.map { ($0.name, $0.border) }, uniquingKeysWith: { a, _ in a })
    #expect(borders["block3a_expand"] == 2 && borders["block4a_expand"] == 1)
    let expected = try Self.run(first, threads: 1).output
    for set in Int8InstructionSet.supported {
      let program = try Self.program(weights, set)
      for threads in 1...3 {
        #expect(try Self.run(program, threads: threads).output == expected, "\(set), \(threads)")
      }
    }
  }

  /// Later layers of noise weights amplify the rounding errors of the first layers.
  @Test("first layers of Lite2 in int8 are within 5 % of float")
  func quantizedIsCloseToFloats() throws {
    let weights = try Self.calibrated()
    let names: Set<String> = [
      "stem_conv", "block1a_project", "block2c_project", "block3a_depthwise",
    ]
    let floats = try Self.run(Self.program(weights, nil), threads: 2, keeping: names).kept
    let quantized = try Self.run(Self.program(weights, .baseline), threads: 2, keeping: names).kept
    for name in names {
      let (exact, found) = (try #require(floats[name]), try #require(quantized[name]))
      let squares = zip(exact.elements, found.elements).reduce((0.0, 0.0)) {
        ($0.0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)), $0.1 + Double($1.0 * $1.0))
      }
      #expect((squares.0 / squares.1).squareRoot() < 0.05, "\(name)")
    }
  }

  /// The formula includes borders, zero points and strides.
  @Test("a depthwise layer rounds the exact result once") func depthwiseLayersRoundOnce() throws {
    let weights = try Self.calibrated()
    let nodes = try FCRN(weights).output.ordered()
    let program = try Self.program(weights, .best(for: .current))
    let kept = try Self.run(program, threads: 2, keeping: Set(program.valueNames)).kept
    var layers = 0
    for node in nodes {
      guard let layer = node.operation as? DepthwiseOperation else { continue }
      layers += 1
      let geometry = layer.geometry
      let (input, output) = (
        try #require(kept[node.inputs[0].name]), try #require(kept[node.name])
      )
      let (quantized, scales) = try layer.kernels.quantizedRows()(0..<geometry.channels)
      let kernel = quantized.enumerated().map { Float(scales[$0 / geometry.taps]) * Float($1) }
      let written = try #require(
        weights.inputs[node.name.replacing("depthwise", with: "project")])
      let count = input.shape.area * geometry.channels
      for image in 0..<input.shape.count {
        let expected = ReferenceDepthwise.convolved(
          .init(
            height: input.shape.height, width: input.shape.width, channels: geometry.channels,
            elements: input.elements[image * count..<(image + 1) * count].map(Double.init)),
          kernel: kernel, size: geometry.kernelSize, stride: geometry.stride,
          bias: layer.kernels.bias)
        let first = image * expected.elements.count
        expectClose(
          Array(output.elements[first..<first + expected.elements.count]),
          expected.elements.map { min(max($0, 0), min(6, 255 * Double(written))) },
          absolute: 0.501 * Double(written) + 1e-4, node.name)
      }
    }
    #expect(layers == 21)
  }
}
