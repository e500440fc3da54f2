import DepthBase
import Testing
import _TestSupport

@testable import NeuralEngine

/// Noise tensors, and calibrated scales of some layers.
struct CalibratedArchive: WeightArchive {
  var base = NoiseArchive()
  var inputs: [String: Float] = [:]
  var residuals: [String: Float] = [:]

  var name: String { base.name }
  var shapes: [String: [Int]] { base.shapes }
  func text(_ attribute: String) -> String? { nil }
  func integers(_ attribute: String) -> [Int]? { nil }
  func numbers(_ attribute: String) -> [Double]? { nil }
  func attributeDescription(_ attribute: String) -> String? { nil }
  func elements(of tensor: String) -> [Float] { base.elements(of: tensor) }
  func inputScale(of layer: String) -> Float? { inputs[layer] }
  func residualScale(of layer: String) -> Float? { residuals[layer] }
}

/// Networks in which some layers compute with quantized values.
@Suite struct QuantizationPlanTests {
  static let shape = Tensor.Shape(count: 2, height: 9, width: 11, channels: 3)

  /// A first convolution, an up-projection, a block with a shortcut, and a last convolution.
  static func network(_ archive: CalibratedArchive) throws -> Node {
    var archive = archive
    archive.base.addConvolution("first", [12, 3, 3, 3])
    for branch in ["up_br1", "up_br2"] {
      for (letter, size) in [("A", [3, 3]), ("B", [2, 3]), ("C", [3, 2]), ("D", [2, 2])] {
        archive.base.addConvolution("\(branch)_Conv\(letter)", [10, 12] + size)
      }
    }
    archive.base.addConvolution("up_Conv", [10, 10, 3, 3])
    archive.base.addConvolution("a", [10, 10, 3, 3])
    archive.base.addConvolution("b", [10, 10, 1, 1])
    archive.base.addConvolution("last", [2, 10, 3, 3])
    let weights = WeightScope(archive, batchNormEpsilon: 0, isFolded: true)
    func conv(_ name: String, _ size: Int, _ input: Int, _ output: Int, _ activation: Activation)
      throws -> Conv2D
    {
      try Conv2D(
        weights, name, kernelSize: size, input, output, hasBias: true, activation: activation)
    }
    let x = try conv("first", 3, 3, 12, .none)(.input(channels: 3))
    let up = try UpProjection(weights, "up", padding: .topLeft, 12, 10)(x)
    let sum = try conv("b", 1, 10, 10, .relu)(conv("a", 3, 10, 10, .relu)(up), adding: up)
    return try conv("last", 3, 10, 2, .none)(sum)
  }

  static func input() -> Tensor { Tensor(shape: shape, elements: noise("x", shape.elementCount)) }

  static func run(
    _ node: Node, int8: Int8InstructionSet?, threads: Int, keeping names: Set<String> = []
  ) throws -> (output: Tensor, kept: [String: Tensor]) {
    let program = try node.compiled(forInput: shape, int8: int8, threads: threads)
    let plan = program.memoryPlan(forInput: shape, threads: threads)
    return try program.run(input(), in: .init(plan), keeping: names)
  }

  /// The archive with scales that a run of the network measures.
  static func calibrated() throws -> CalibratedArchive {
    let plain = try network(CalibratedArchive())
    let program = try plain.compiled(forInput: shape, threads: 1)
    let kept = try run(plain, int8: nil, threads: 1, keeping: Set(program.valueNames)).kept
    var archive = CalibratedArchive()
    for layer in plain.calibratedLayers(
      largest: kept.mapValues { $0.elements.reduce(0) { max($0, abs($1)) } })
    {
      archive.inputs[layer.layer] = layer.inputScale
      archive.residuals[layer.layer] = layer.residualScale
    }
    return archive
  }

  @Test("the first and last layers are not calibrated") func firstAndLastLayersStayFloats() throws {
    let archive = try Self.calibrated()
    #expect(archive.inputs.count == 8 + 1 + 2)
    #expect(archive.inputs["first"] == nil && archive.inputs["last"] == nil)
    #expect(Set(archive.residuals.keys) == ["up_Conv", "b"])
    #expect(archive.residuals["b"] == archive.inputs["a"])
  }

  @Test("quantized results are close to floats on every instruction set")
  func quantizedIsCloseToFloats() throws {
    let archive = try Self.calibrated()
    let node = try Self.network(archive)
    let names: Set<String> = ["up_ReLU", "a", "up_br1_ReLU", "up_br2_BN"]
    let floats = try Self.run(node, int8: nil, threads: 1, keeping: names)
    let quantized = try Self.run(node, int8: .baseline, threads: 1, keeping: names)
    #expect(quantized.output != floats.output)
    for (name, map) in floats.kept.merging(
      ["output": floats.output], uniquingKeysWith: { a, _ in a })
    {
      let other = try #require(name == "output" ? quantized.output : quantized.kept[name])
      let largest = Double(map.elements.reduce(0) { max($0, abs($1)) })
      expectClose(other.elements, map.elements.map(Double.init), absolute: 0.03 * largest, name)
    }
    for set in Int8InstructionSet.tested {
      for threads in 1...3 {
        #expect(try Self.run(node, int8: set, threads: threads).output == quantized.output)
      }
    }
  }

  @Test(
    "a first layer with quantized input needs no calibration",
    arguments: [
      nil, MapQuantization(scale: 0.5, zeroPoint: 0), MapQuantization(scale: 0.5, zeroPoint: 100),
    ])
  func quantizedInputNeedsNoCalibration(quantization: MapQuantization?) throws {
    var archive = CalibratedArchive()
    archive.base.addConvolution("first", [12, 3, 7, 7])
    archive.base.addConvolution("also", [12, 3, 3, 3])
    archive.base.addConvolution("last", [2, 12, 3, 3])
    archive.base.addConvolution("end", [2, 12, 1, 1])
    let weights = WeightScope(archive, batchNormEpsilon: 0, isFolded: true)
    let image = Node.input(channels: 3, quantization: quantization)
    let also = try Conv2D(weights, "also", kernelSize: 3, stride: 2, 3, 12, hasBias: true)(image)
    let first = try Conv2D(weights, "first", kernelSize: 7, stride: 2, 3, 12, hasBias: true)
    let node = try Conv2D(weights, "last", kernelSize: 3, 12, 2, hasBias: true)(
      first(image, adding: also))
    #expect(node.calibratedLayers(largest: [:]).map(\.layer) == [])
    let program = try node.compiled(forInput: Self.shape, int8: .baseline, threads: 1)
    let integers = program.layers.compactMap { layer -> String? in
      layer.operation is QuantizedConvolution ? layer.name : nil
    }
    // The first layer adds a float map, which integer layers cannot add.
    #expect(integers == (quantization == nil ? [] : ["also"]))
    #expect(program.values.allSatisfy { $0.border == 1 })

    let plain = try Conv2D(weights, "end", kernelSize: 1, 12, 2, hasBias: true)(first(image))
    let scale = quantization?.scale ?? 1
    let pixels = QuantizedConvolutionTests.values("pixels", Self.shape.elementCount)
    let input = Tensor(
      shape: Self.shape,
      elements: pixels.map { (Float($0) - Float(quantization?.zeroPoint ?? 0)) * scale })
    func run(_ set: Int8InstructionSet?, threads: Int) throws -> [String: Tensor] {
      let program = try plain.compiled(forInput: Self.shape, int8: set, threads: threads)
      #expect(program.values.map(\.border).max() == (set != nil && quantization != nil ? 3 : 1))
      let plan = program.memoryPlan(forInput: Self.shape, threads: threads)
      return try program.run(input, in: .init(plan), keeping: ["first"]).kept
    }
    let floats = try #require(try run(nil, threads: 1)["first"])
    let found = try #require(try run(.baseline, threads: 1)["first"])
    let largest = Double(floats.elements.reduce(0) { max($0, abs($1)) })
    // Only the 8-bit weights lose precision. The quantized input is exact.
    expectClose(
      found.elements, floats.elements.map(Double.init), absolute: 0.01 * largest, "first")
    for set in Int8InstructionSet.tested {
      for threads in 1...3 { #expect(try run(set, threads: threads)["first"] == found) }
    }
  }

  @Test(
    "exactly the calibrated layers compute with integers",
    arguments: [
      ["a"], ["b", "a"], ["up_Conv"], ["up_br1_ConvA", "up_Conv"], ["up_br1_ConvA", "a", "b"],
    ])
  func anyLayersMayStayFloats(layers: [String]) throws {
    var archive = try Self.calibrated()
    archive.inputs = archive.inputs.filter { layers.contains($0.key) }
    archive.residuals = archive.residuals.filter { layers.contains($0.key) }
    let node = try Self.network(archive)
    let program = try node.compiled(forInput: Self.shape, int8: .baseline, threads: 1)
    let integers = program.layers.compactMap { layer -> String? in
      switch layer.operation {
      case is QuantizedConvolution, is QuantizedConvolutionPair: layer.name
      default: nil
      }
    }
    #expect(integers.count == layers.count)
    let floats = try Self.run(node, int8: nil, threads: 1).output
    let quantized = try Self.run(node, int8: .baseline, threads: 2).output
    let largest = Double(floats.elements.reduce(0) { max($0, abs($1)) })
    expectClose(
      quantized.elements, floats.elements.map(Double.init), absolute: 0.03 * largest, "\(layers)")
  }

  @Test("a network without scales computes floats") func layersWithoutScalesComputeFloats() throws {
    let node = try Self.network(CalibratedArchive())
    #expect(try !node.isCalibrated)
    #expect(
      try Self.run(node, int8: .baseline, threads: 1).output
        == Self.run(node, int8: nil, threads: 1).output)
  }

  @Test(
    "a scale that is zero, negative, NaN or infinite is refused",
    arguments: [0, -1, Float.nan, .infinity])
  func unusableScalesAreRefused(scale: Float) throws {
    var archive = CalibratedArchive()
    archive.inputs["a"] = scale
    let node = try Self.network(archive)
    #expect {
      _ = try node.compiled(forInput: Self.shape, int8: .baseline, threads: 1)
    } throws: { "\($0)".contains("'a/activation_scale' is") }
  }
}
