import DepthErrors
import DepthNetworks
import HDF5Files
import NeuralEngine
import Testing
import _TestSupport

/// A network is built from exactly the tensors it needs, or not at all.
@Suite(.offPool) struct WeightsErrorTests {
  static let weights = GeneratedWeights(widthDivisor: 16)

  @Test func missingTensorIsNamed() {
    var edited = EditedWeights(Self.weights)
    edited.removedTensors = ["layer4x_br2_ConvC/kernel"]
    #expect(
      throws: DepthError.missingTensor(
        file: "generated weights", name: "layer4x_br2_ConvC/kernel", expected: [16, 32, 3, 2])
    ) { try FCRN(edited) }
  }

  @Test func extraTensorIsNamed() {
    var edited = EditedWeights(Self.weights)
    edited.tensors["fc1000/kernel"] = .init(shape: [1], elements: [0])
    #expect(
      throws: DepthError.unusedTensors(file: "generated weights", names: ["fc1000/kernel"])
    ) { try FCRN(edited) }
  }

  @Test func transposedTensorIsNamed() throws {
    var edited = EditedWeights(Self.weights)
    let name = "res3a_branch2a/kernel"
    edited.tensors[name] = .init(shape: [16, 8, 1, 1], elements: try edited.elements(of: name))
    #expect(
      throws: DepthError.shapeMismatch(
        file: "generated weights", name: name, expected: [8, 16, 1, 1], found: [16, 8, 1, 1])
    ) { try FCRN(edited) }
  }

  @Test(arguments: [Float.nan, .infinity])
  func valueThatIsNotFiniteIsNamed(value: Float) throws {
    let name = "layer16x_Conv/kernel"
    var edited = EditedWeights(Self.weights)
    var elements = try edited.elements(of: name)
    elements[77] = value
    edited.tensors[name] = .init(shape: [4, 4, 3, 3], elements: elements)
    let network = try FCRN(edited)
    #expect(throws: DepthError.nonFinite(file: "generated weights", name: name, index: 77)) {
      try network.output.compiled(forInput: network.inputShape, threads: 2)
    }
  }

  @Test(arguments: [
    ("architecture", HDF5Attribute.text("fcrn-vgg16")), ("upproj_padding", .text("left")),
    ("output_unit", .text("inch")), ("channel_order", .text("BGR")),
    ("format_version", .integers([3])),
    ("width_divisor", .integers([0])), ("bn_epsilon", .numbers([.nan])),
    ("pixel_mean", .numbers([0, 0])), ("decoder_widths", .integers([1, 2, 3])),
    ("input_height", .integers([1_000_000_000])), ("kernel_layout", .text("HWIO")),
    ("final_relu", .text("yes")),
  ])
  func unsupportedAttributeIsNamed(name: String, value: HDF5Attribute) throws {
    var edited = EditedWeights(Self.weights)
    edited.attributes[name] = value
    let error = try #require(throws: DepthError.self) { try FCRN(edited) }
    #expect(error.code == .weightsMismatch)
    #expect(error.message.hasPrefix("attribute '\(name)' is "), "\(error)")
    #expect(error.message.contains("expected"), "\(error)")
  }

  @Test(arguments: ["architecture", "format_name", "pixel_scale", "upproj_padding", "output_unit"])
  func missingAttributeIsNamed(name: String) throws {
    var edited = EditedWeights(Self.weights)
    edited.removedAttributes = [name]
    let error = try #require(throws: DepthError.self) { try FCRN(edited) }
    #expect(error.code == .weightsMismatch)
    #expect(error.message.hasPrefix("attribute '\(name)' is missing, expected"), "\(error)")
  }
}
