import DepthErrors
package import HDF5Files
import NeuralEngine

/// Weights of a whole FCRN, generated on demand instead of read from a file.
package struct GeneratedWeights: WeightArchive {
  package let name: String
  package let shapes: [String: [Int]]
  /// The attributes of the archive.
  package let attributes: [String: HDF5Attribute]
  /// All tensors in execution order.
  package let tensors: [GeneratedTensor]
  private let tensorsByName: [String: GeneratedTensor]
  private let seed: UInt64

  init(tensors: [GeneratedTensor], attributes: [String: HDF5Attribute], seed: UInt64) {
    name = "generated weights"
    (self.tensors, self.attributes, self.seed) = (tensors, attributes, seed)
    tensorsByName = Dictionary(uniqueKeysWithValues: tensors.map { ($0.name, $0) })
    shapes = tensorsByName.mapValues(\.shape)
  }

  /// Weights of the network with ResNet-50.
  ///
  /// - Parameters:
  ///   - widthDivisor: The divisor of every width of the published network.
  ///   - padding: `topleft` or `bottomright`, the side on which up-projections pad.
  package init(
    widthDivisor: Int = 1, padding: String = "topleft", seed: UInt64 = CounterStream.defaultSeed
  ) {
    let layers = FCRNLayerTable.layers(widthDivisor: widthDivisor)
    let attributes: [String: HDF5Attribute] = [
      "format_name": .text("fcrn-hdf5"),
      "format_version": .integers([1]),
      "content": .text("weights"),
      "architecture": .text("fcrn-resnet50-upproj"),
      "width_divisor": .integers([widthDivisor]),
      "input_height": .integers([228]),
      "input_width": .integers([304]),
      "channel_order": .text("RGB"),
      "pixel_scale": .numbers([1]),
      "pixel_mean": .numbers([0, 0, 0]),
      "kernel_layout": .text("OIHW"),
      "upproj_padding": .text(padding),
      "bn_epsilon": .numbers([1e-4]),
      "final_relu": .integers([1]),
      "output_unit": .text("metre"),
      "seed": .integers([Int(seed)]),
    ]
    self.init(
      tensors: layers.flatMap(GeneratedTensor.tensors(of:)), attributes: attributes, seed: seed)
  }

  package func text(_ attribute: String) -> String? { attributes[attribute]?.text }

  package func integers(_ attribute: String) -> [Int]? { attributes[attribute]?.integers }

  package func numbers(_ attribute: String) -> [Double]? { attributes[attribute]?.numbers }

  package func attributeDescription(_ attribute: String) -> String? {
    attributes[attribute]?.description
  }

  package func elements(of tensor: String) throws -> [Float] {
    try generated(tensor).elements(seed: seed)
  }

  private func generated(_ tensor: String) throws -> GeneratedTensor {
    guard let generated = tensorsByName[tensor] else {
      throw DepthError.unreadable(file: name, reason: "has no tensor '\(tensor)'")
    }
    return generated
  }
}
