/// The layers of FCRN with ResNet-50 in execution order, with the names of the published weights.
/// Written from the paper's tables, not from the network under test.
public enum FCRNLayerTable {
  /// One layer with parameters.
  public enum Layer: Sendable {
    case convolution(String, outputs: Int, inputs: Int, height: Int, width: Int, hasBias: Bool)
    case batchNorm(String, channels: Int)
  }

  /// - Parameter divisor: A divisor of 64 that divides every width of the published network.
  public static func layers(widthDivisor divisor: Int = 1) -> [Layer] {
    precondition(divisor > 0 && 64 % divisor == 0, "divisor \(divisor), expected one of 64")
    var layers: [Layer] = []
    func convolution(
      _ name: String, _ inputs: Int, _ outputs: Int, _ height: Int, _ width: Int,
      hasBias: Bool = false
    ) {
      layers.append(
        .convolution(
          name, outputs: outputs, inputs: inputs, height: height, width: width, hasBias: hasBias))
    }
    func batchNorm(_ name: String, _ channels: Int) {
      layers.append(.batchNorm(name, channels: channels))
    }

    convolution("conv1", 3, 64 / divisor, 7, 7, hasBias: true)
    batchNorm("bn_conv1", 64 / divisor)
    var inputs = 64 / divisor
    for (stage, blocks, width) in [
      (2, "abc", 64), (3, "abcd", 128), (4, "abcdef", 256), (5, "abc", 512),
    ] {
      let inner = width / divisor
      for block in blocks {
        func branch(_ name: String, _ inputs: Int, _ outputs: Int, _ size: Int) {
          convolution("res\(stage)\(block)_branch\(name)", inputs, outputs, size, size)
          batchNorm("bn\(stage)\(block)_branch\(name)", outputs)
        }
        if block == "a" { branch("1", inputs, 4 * inner, 1) }
        branch("2a", inputs, inner, 1)
        branch("2b", inner, inner, 3)
        branch("2c", inner, 4 * inner, 1)
        inputs = 4 * inner
      }
    }
    convolution("layer1", inputs, inputs / 2, 1, 1, hasBias: true)
    batchNorm("layer1_BN", inputs / 2)
    inputs /= 2
    for layer in ["layer2x", "layer4x", "layer8x", "layer16x"] {
      let outputs = inputs / 2
      for branch in ["br1", "br2"] {
        for (part, height, width) in [("A", 3, 3), ("B", 2, 3), ("C", 3, 2), ("D", 2, 2)] {
          convolution(
            "\(layer)_\(branch)_Conv\(part)", inputs, outputs, height, width, hasBias: true)
        }
        batchNorm("\(layer)_\(branch)_BN", outputs)
        if branch == "br1" {
          convolution("\(layer)_Conv", outputs, outputs, 3, 3, hasBias: true)
          batchNorm("\(layer)_BN", outputs)
        }
      }
      inputs = outputs
    }
    convolution("ConvPred", inputs, 1, 3, 3, hasBias: true)
    return layers
  }
}
