import DepthBase
import DepthErrors
import HDF5Files
import NeuralEngine
import Testing
import _TestSupport

@testable import DepthNetworks

@Suite struct DepthAnythingTests {
  static let sizes: DepthAnythingSizes = {
    var sizes = DepthAnythingSizes()
    (sizes.heads, sizes.blocks, sizes.takenBlocks) = (2, 5, [1, 2, 4, 5])
    return sizes
  }()

  /// Two images of equal size.
  static func images(_ rows: Int, _ columns: Int) -> Tensor {
    let shape = Tensor.Shape(count: 2, height: 14 * rows, width: 14 * columns, channels: 3)
    return Tensor(
      shape: shape, elements: GeneratedWeights.noise("image", shape.elementCount).map { $0 * 2 })
  }

  /// Compares intermediate maps and the output, also with weights that are packed late.
  @Test(
    "Depth Anything V2 equals its formulas on all instruction sets",
    arguments: InstructionSet.supported, [(3, 4), (5, 2)])
  func equalsTheFormulas(set: InstructionSet, grid: (rows: Int, columns: Int)) throws {
    for largest in [20.0, nil] {
      let archive = GeneratedWeights.depthAnything(Self.sizes, largest: largest)
      let network = try DepthAnythingV2(archive)
      let input = Self.images(grid.rows, grid.columns)
      let reference = ReferenceDepthAnything(archive, Self.sizes)
      let area = input.shape.area * 3
      let expected = try (0..<2).map { image in
        try reference(
          .init(
            height: input.shape.height, width: input.shape.width, channels: 3,
            elements: input.elements[image * area..<(image + 1) * area].map(Double.init)))
      }
      var first: Tensor?
      for (threads, keepsWeights) in [(1, true), (2, false), (3, true)] {
        let program = try network.output.compiled(
          forInput: input.shape, backend: .best(for: set), keepsWeights: keepsWeights,
          threads: threads)
        let plan = program.memoryPlan(forInput: input.shape, threads: threads)
        let names = Set((0..<4).map { "tokens\($0)" })
        let (output, kept) = try program.run(input, in: .init(plan), keeping: names)
        #expect(output.shape.height == input.shape.height && output.shape.channels == 1)
        for level in 0..<4 {
          expectClose(
            kept["tokens\(level)"]?.elements ?? [],
            expected.flatMap { $0.taken[level].elements }, absolute: 2e-5, "tokens\(level)")
        }
        expectClose(
          output.elements, expected.flatMap { $0.output.elements }, absolute: 1e-4, "output")
        if let first { #expect(output == first) }
        first = output
      }
    }
  }

  @Test("Depth Anything V2 reads its configuration from attributes and tensors")
  func readsItsConfiguration() throws {
    let network = try DepthAnythingV2(GeneratedWeights.depthAnything(Self.sizes))
    let configuration = network.configuration
    #expect(configuration.width == 128 && configuration.blocks == 5)
    #expect(configuration.output == .metres(largest: 20))
    #expect(configuration.trainingFocalLength == 0.8)
    #expect(network.inputShape == .init(height: 252, width: 252, channels: 3))
    let relative = try DepthAnythingV2(GeneratedWeights.depthAnything(largest: nil))
    #expect(relative.configuration.output == .relativeDisparity)
    #expect(relative.configuration.trainingFocalLength == nil)
  }

  @Test(
    "a missing attribute of Depth Anything V2 is named",
    arguments: [
      ("architecture", "'depth-anything-v2'"), ("heads", "an integer in 1...64"),
      ("taken_blocks", "4 integers in 1...5"), ("input_side", "an integer in 252...1036"),
      ("output_unit", "'metre' or 'relative disparity'"),
      ("largest_depth", "a number in 0.1...100000.0"), ("pixel_scale", "3 numbers"),
      ("training_focal_length", "a number in 0.05...20.0"),
    ])
  func namesAMissingAttribute(name: String, expected: String) throws {
    let archive = EditedArchive(GeneratedWeights.depthAnything(Self.sizes), withoutAttribute: name)
    let error = #expect(throws: DepthError.self) { try DepthAnythingV2(archive) }
    let text = "\(try #require(error))"
    #expect(text.contains("'\(name)'") && text.contains(expected), "\(text)")
  }

  @Test(
    "a wrong attribute of Depth Anything V2 is named with both values",
    arguments: [
      ("heads", HDF5Attribute.integers([3]), "is 3, expected one for each 64 of the 128 channels"),
      ("heads", .integers([0]), "is 0, expected an integer in 1...64"),
      ("heads", .text("two"), "is 'two', expected an integer in 1...64"),
      ("heads", .integers([2, 2]), "expected an integer in 1...64"),
      ("taken_blocks", .integers([1, 2, 3]), "expected 4 integers in 1...5"),
      ("taken_blocks", .integers([1, 2, 3, 6]), "expected 4 integers in 1...5"),
      ("taken_blocks", .integers([1, 2, 2, 5]), "expected four ascending numbers"),
      ("taken_blocks", .integers([-1, 2, 3, 5]), "expected 4 integers in 1...5"),
      (
        "architecture", .text("depth-anything-v3"),
        "is 'depth-anything-v3', expected 'fcrn-resnet50-upproj'"
      ),
      ("architecture", .integers([2]), "or 'depth-anything-v2'"),
      ("input_side", .integers([253]), "is 253, expected a multiple of 14"),
      ("output_unit", .text("parsec"), "is 'parsec', expected 'metre' or 'relative disparity'"),
      ("largest_depth", .numbers([.nan]), "expected a number in 0.1...100000.0"),
    ])
  func namesAWrongAttribute(name: String, value: HDF5Attribute, message: String) throws {
    let archive = EditedArchive(
      GeneratedWeights.depthAnything(Self.sizes), replacing: (name, value))
    let error = #expect(throws: DepthError.self) { try DepthNetwork(archive) }
    let text = "\(try #require(error))"
    #expect(try #require(error).code == .weightsMismatch)
    #expect(text.hasPrefix("edited weights: attribute '\(name)'"), "\(text)")
    #expect(text.contains(message), "\(text)")
  }

  @Test(
    "a missing tensor of Depth Anything V2 is named",
    arguments: [
      "norm/gamma", "blocks.3.attn.qkv/kernel", "embeddings/positions", "layer2_rn/kernel",
      "resize_layers.0/bias", "refinenet4.out_conv/kernel", "output_conv2.2/bias",
    ])
  func namesAMissingTensor(name: String) throws {
    let archive = EditedArchive(GeneratedWeights.depthAnything(Self.sizes), withoutTensor: name)
    let error = #expect(throws: DepthError.self) { try DepthAnythingV2(archive) }
    let text = "\(try #require(error))"
    #expect(try #require(error).code == .weightsMismatch)
    #expect(text.contains(name), "\(text)")
  }
}

/// An archive without a named item, or with a changed attribute.
private struct EditedArchive: WeightArchive {
  let name = "edited weights"
  let whole: GeneratedWeights
  let shapes: [String: [Int]]
  let attributes: [String: HDF5Attribute]

  init(
    _ whole: GeneratedWeights, withoutAttribute attribute: String? = nil,
    withoutTensor tensor: String? = nil, replacing: (name: String, value: HDF5Attribute)? = nil
  ) {
    self.whole = whole
    shapes = whole.shapes.filter { $0.key != tensor }
    var attributes = whole.attributes.filter { $0.key != attribute }
    if let replacing { attributes[replacing.name] = replacing.value }
    self.attributes = attributes
  }

  func text(_ name: String) -> String? { attributes[name]?.text }
  func integers(_ name: String) -> [Int]? { attributes[name]?.integers }
  func numbers(_ name: String) -> [Double]? { attributes[name]?.numbers }
  func attributeDescription(_ name: String) -> String? { attributes[name]?.description }
  func elements(of tensor: String) throws -> [Float] { try whole.elements(of: tensor) }
}
