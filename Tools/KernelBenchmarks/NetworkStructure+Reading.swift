package import NeuralEngine

extension NetworkStructure {
  /// Parses the text of ``description``.
  ///
  /// - Throws: ``StructureError``, naming the line at fault.
  package init(text: String) throws {
    var layers: [Layer] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated().dropFirst() {
      let words = line.split(separator: " ").map(String.init)
      if words.isEmpty || words.last == "parameters" { continue }
      guard let layer = Layer(words: words) else {
        throw StructureError.malformedLine(
          line: index + 1, expected: "layer, kernel, reads, from, writes, parameters and adds",
          found: String(line))
      }
      layers.append(layer)
    }
    guard !layers.isEmpty else { throw StructureError.noLayers }
    self.init(layers: layers)
  }
}

extension NetworkStructure.Layer {
  fileprivate init?(words: [String]) {
    guard (6...7).contains(words.count), let input = Tensor.Shape(extents: words[2]),
      let output = Tensor.Shape(extents: words[4]), let parameters = Int(words[5]),
      let operation = NetworkStructure.Operation(
        word: words[1], inputChannels: input.channels, outputChannels: output.channels)
    else { return nil }
    self.init(
      name: words[0], operation: operation, source: words[3],
      residual: words.count > 6 ? words[6] : nil, input: input, output: output,
      parameters: parameters)
  }
}

extension NetworkStructure.Operation {
  fileprivate init?(word: String, inputChannels: Int, outputChannels: Int) {
    switch word {
    case "up-conv": self = .upConvolution
    case "max3×3/2": self = .maxPool
    case "context": self = .globalContext
    default:
      let isDepthwise = word.hasPrefix("dw")
      let parts = word.dropFirst(isDepthwise ? 2 : 0).split(separator: "/").map(String.init)
      guard (1...2).contains(parts.count), let size = positiveNumbers(parts[0], count: 2),
        let stride = positiveNumbers(parts.count > 1 ? parts[1] : "1", count: 1)
      else { return nil }
      if isDepthwise {
        guard size[0] == size[1], size[0] % 2 == 1, inputChannels == outputChannels else {
          return nil
        }
        self = .depthwise(
          DepthwiseGeometry(kernelSize: size[0], stride: stride[0], channels: inputChannels))
        return
      }
      self = .convolution(
        ConvolutionGeometry(
          kernelHeight: size[0], kernelWidth: size[1], stride: stride[0],
          inputChannels: inputChannels, outputChannels: outputChannels))
    }
  }
}

extension Tensor.Shape {
  /// `228×304×3`
  fileprivate init?(extents: String) {
    guard let numbers = positiveNumbers(extents, count: 3) else { return nil }
    self.init(height: numbers[0], width: numbers[1], channels: numbers[2])
  }
}

private func positiveNumbers(_ word: String, count: Int) -> [Int]? {
  let numbers = word.split(separator: "×").compactMap { Int($0) }.filter { $0 > 0 }
  return numbers.count == count ? numbers : nil
}
