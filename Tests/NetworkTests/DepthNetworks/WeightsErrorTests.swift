import DepthErrors
import DepthNetworks
import HDF5Files
import NeuralEngine
import Testing
import _TestSupport

/// A network refuses missing tensors, extra tensors and invalid values.
@Suite struct WeightsErrorTests {
  static let weights = GeneratedWeights(widthDivisor: 16)

  @Test("a missing tensor is named with its shape") func missingTensorIsNamed() {
    var edited = EditedWeights(Self.weights)
    edited.removedTensors = ["layer4x_br2_ConvC/kernel"]
    #expect(
      throws: DepthError.missingTensor(
        file: "generated weights", name: "layer4x_br2_ConvC/kernel", expected: [16, 32, 3, 2])
    ) { try FCRN(edited) }
  }

  @Test("a tensor that belongs to no layer is named") func extraTensorIsNamed() {
    var edited = EditedWeights(Self.weights)
    edited.tensors["fc1000/kernel"] = .init(shape: [1], elements: [0])
    #expect(
      throws: DepthError.unusedTensors(file: "generated weights", names: ["fc1000/kernel"])
    ) { try FCRN(edited) }
  }

  @Test("a transposed tensor is named with both shapes") func transposedTensorIsNamed() throws {
    var edited = EditedWeights(Self.weights)
    let name = "res3a_branch2a/kernel"
    edited.tensors[name] = .init(shape: [16, 8, 1, 1], elements: try edited.elements(of: name))
    #expect(
      throws: DepthError.shapeMismatch(
        file: "generated weights", name: name, expected: [8, 16, 1, 1], found: [16, 8, 1, 1])
    ) { try FCRN(edited) }
  }

  @Test("a value that is not finite is named with its index", arguments: [Float.nan, .infinity])
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

  /// A bias of 1e30 would be the depth of every pixel.
  @Test(
    "a weight of 1e30 is refused",
    arguments: ["ConvPred/bias", "layer16x_Conv/kernel", "bn_conv1/variance"])
  func hugeValueIsNamed(tensor: String) throws {
    var edited = EditedWeights(Self.weights)
    let shape = try #require(edited.shapes[tensor])
    var elements = try edited.elements(of: tensor)
    elements[elements.count - 1] = 1e30
    edited.tensors[tensor] = .init(shape: shape, elements: elements)
    #expect(
      throws: DepthError(
        .damaged, file: "generated weights",
        "tensor '\(tensor)' holds 1e+30 at index \(elements.count - 1), expected a magnitude below 1048576"
      )
    ) {
      let network = try FCRN(edited)
      _ = try network.output.compiled(forInput: network.inputShape, threads: 2)
    }
    // The largest allowed magnitude.
    elements[elements.count - 1] = 1_048_575
    edited.tensors[tensor] = .init(shape: shape, elements: elements)
    let network = try FCRN(edited)
    _ = try network.output.compiled(forInput: network.inputShape, threads: 2)
  }

  /// Each side is allowed, but the product of the sides is too large.
  @Test("an input of more than 2097152 pixels is refused")
  func inputsOfMorePixelsThanAStreetSceneAreRefused() throws {
    var edited = EditedWeights(Self.weights)
    edited.attributes = ["input_height": .integers([1025]), "input_width": .integers([2048])]
    let error = try #require(throws: DepthError.self) { try FCRN(edited) }
    #expect(
      error.message
        == "attribute 'input_height' is 1025 with an input_width of 2048, expected an input of at most "
        + "2097152 pixels")
    edited.attributes["input_height"] = .integers([1024])
    #expect(try FCRN(edited).inputShape.area == 2_097_152)
  }

  @Test(
    "an unsupported attribute is named with the expected value",
    arguments: [
      ("architecture", HDF5Attribute.text("fcrn-vgg16")), ("upproj_padding", .text("left")),
      ("output_unit", .text("inch")), ("channel_order", .text("BGR")),
      ("format_version", .integers([3])),
      ("width_divisor", .integers([0])), ("bn_epsilon", .numbers([.nan])),
      ("pixel_mean", .numbers([0, 0])), ("decoder_widths", .integers([1, 2, 3])),
      ("input_height", .integers([1_000_000_000])), ("input_height", .integers([1])),
      ("input_width", .integers([31])), ("input_width", .integers([2049])),
      ("kernel_layout", .text("HWIO")),
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

  @Test(
    "a missing attribute is named with the expected value",
    arguments: ["architecture", "format_name", "pixel_scale", "upproj_padding", "output_unit"])
  func missingAttributeIsNamed(name: String) throws {
    var edited = EditedWeights(Self.weights)
    edited.removedAttributes = [name]
    let error = try #require(throws: DepthError.self) { try FCRN(edited) }
    #expect(error.code == .weightsMismatch)
    #expect(error.message.hasPrefix("attribute '\(name)' is missing, expected"), "\(error)")
  }
}
