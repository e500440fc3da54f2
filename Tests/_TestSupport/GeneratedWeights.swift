import DepthErrors
public import NeuralEngine

/// Weights of a whole FCRN with ResNet-50, made on demand: a network can be built from them without
/// a file.
public struct GeneratedWeights: WeightArchive {
  public let name: String
  public let shapes: [String: [Int]]
  /// What the archive says about itself.
  public let attributes: [String: WeightAttribute]
  /// Every tensor, in execution order.
  public let tensors: [GeneratedTensor]
  private let tensorsByName: [String: GeneratedTensor]
  private let seed: UInt64

  /// - Parameters:
  ///   - widthDivisor: What every width of the published network is divided by.
  ///   - padding: `topleft` or `bottomright`, the side on which up-projections pad.
  public init(
    widthDivisor: Int = 1, padding: String = "topleft", seed: UInt64 = CounterStream.defaultSeed
  ) {
    name = "generated weights"
    self.seed = seed
    tensors = FCRNLayerTable.layers(widthDivisor: widthDivisor)
      .flatMap(GeneratedTensor.tensors(of:))
    tensorsByName = Dictionary(uniqueKeysWithValues: tensors.map { ($0.name, $0) })
    shapes = tensorsByName.mapValues(\.shape)
    attributes = [
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
  }

  public func attribute(_ name: String) -> WeightAttribute? { attributes[name] }

  public func elements(of tensor: String) throws -> [Float] {
    try generated(tensor).elements(seed: seed)
  }

  public func read(_ tensor: String, into elements: inout MutableSpan<Float>) throws {
    let generated = try generated(tensor)
    precondition(elements.count == generated.count, "\(elements.count) values of \(tensor)")
    elements.withUnsafeMutableBufferPointer {
      generated.rule.fill($0, name: tensor, seed: seed)
    }
  }

  private func generated(_ tensor: String) throws -> GeneratedTensor {
    guard let generated = tensorsByName[tensor] else {
      throw DepthError.unreadable(file: name, reason: "there is no tensor '\(tensor)'")
    }
    return generated
  }
}
