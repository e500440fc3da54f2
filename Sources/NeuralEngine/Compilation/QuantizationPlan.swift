/// A network's layers that compute with 8-bit quantized values, and maps that are written quantized.
///
/// A layer computes with quantized values if its archive has the scales of all maps that the layer reads, or if the layer
/// reads a quantized input. A map is written quantized if all layers that read the map compute with quantized values.
/// Otherwise the map is written as floats and then quantized.
struct QuantizationPlan: Sendable {
  private var integerNodes: Set<ObjectIdentifier> = []
  private var quantizations: [ObjectIdentifier: MapQuantization] = [:]
  private var readAsFloats: Set<ObjectIdentifier> = []
  private var readQuantized: Set<ObjectIdentifier> = []
  private var borders: [ObjectIdentifier: Int] = [:]
  private var pooled: Set<ObjectIdentifier> = []

  /// The plan of a network of floats.
  init() {}

  /// - Parameter nodes: All nodes, in topological order. The last node is the output.
  /// - Throws: `DepthError` when a scale cannot be read or is not a positive number.
  init(_ nodes: [Node]) throws {
    for node in nodes {
      if case .input(let quantization?) = node.content {
        quantizations[ObjectIdentifier(node)] = quantization
      }
    }
    for node in nodes where node.canQuantize {
      if let scale = try node.weights.first?.inputScale() { set(scale, of: node.inputs[0]) }
    }
    for node in nodes where node.canQuantize && node.inputs.count > 1 {
      if let scale = try node.weights.first?.residualScale() { set(scale, of: node.inputs[1]) }
    }
    for node in nodes {
      let isInteger =
        try node.canQuantize
        && (node.inputs[0].isQuantizedInput || node.weights.first?.inputScale() != nil)
        && node.inputs.allSatisfy { quantizations[ObjectIdentifier($0)] != nil }
      if isInteger { integerNodes.insert(ObjectIdentifier(node)) }
      guard let operation = node.operation else { continue }  // a slice's readers decide
      for input in node.inputs {
        if isInteger {
          readQuantized.insert(ObjectIdentifier(input))
          borders[ObjectIdentifier(input)] = max(border(of: input), operation.borderRead)
        } else {
          readAsFloats.insert(ObjectIdentifier(input))
        }
      }
    }
    if let output = nodes.last { readAsFloats.insert(ObjectIdentifier(output)) }
    // If the slices of a map are read in both forms, the map is written as floats.
    for node in nodes where node.sliced != nil && !isOnlyQuantized(node) {
      readAsFloats.insert(ObjectIdentifier(node.inputs[0]))
    }
    for node in nodes
    where node.sliced != nil && readAsFloats.contains(ObjectIdentifier(node.inputs[0])) {
      readAsFloats.insert(ObjectIdentifier(node))
    }
    for node in nodes where node.operation?.selectsValues ?? false {
      poolQuantized(node, among: nodes)
    }
  }

  /// Pools quantized values if only the quantized maximum is read. Since rounding is monotonic, the preceding
  /// convolution can round.
  private mutating func poolQuantized(_ node: Node, among nodes: [Node]) {
    let map = node.inputs[0]
    guard isOnlyQuantized(node), isInteger(map), map.operation is ConvolutionOperation,
      nodes.allSatisfy({ $0 === node || !$0.inputs.contains { $0 === map } })
    else { return }
    integerNodes.insert(ObjectIdentifier(node))
    pooled.insert(ObjectIdentifier(map))
    quantizations[ObjectIdentifier(map)] = quantizations[ObjectIdentifier(node)]
    readAsFloats.remove(ObjectIdentifier(map))
    readQuantized.insert(ObjectIdentifier(map))
  }

  /// Sets a map's scale. The first reader's scale applies to all readers.
  private mutating func set(_ scale: Float, of node: Node) {
    guard quantizations[ObjectIdentifier(node)] == nil else { return }
    quantizations[ObjectIdentifier(node)] = MapQuantization(
      scale: scale, zeroPoint: node.isNonnegative ? 0 : 128)
  }

  private func isOnlyQuantized(_ node: Node) -> Bool {
    readQuantized.contains(ObjectIdentifier(node)) && !readAsFloats.contains(ObjectIdentifier(node))
  }

  /// Returns whether a layer computes with quantized values.
  func isInteger(_ node: Node) -> Bool { integerNodes.contains(ObjectIdentifier(node)) }

  /// The quantization of a map that some layer reads quantized.
  func quantization(of node: Node) -> MapQuantization? {
    readQuantized.contains(ObjectIdentifier(node)) ? quantizations[ObjectIdentifier(node)] : nil
  }

  /// The quantization of the inputs and the output of a quantized layer.
  ///
  /// - Parameter output: Quantization of each output channel; `nil` for a float result.
  func quantizations(of node: Node, output: [MapQuantization]?) -> MapQuantizations {
    let inputs = node.inputs.compactMap { quantization(of: $0) }
    return MapQuantizations(
      input: inputs[0], output: output, residual: inputs.dropFirst().first,
      roundsToFloats: pooled.contains(ObjectIdentifier(node)),
      readsRows: node.inputs[0].isQuantizedInput && node.inputs[0].channels == 3)
  }

  /// Pixels around a quantized map that its readers require.
  func border(of node: Node) -> Int { borders[ObjectIdentifier(node)] ?? 0 }

  /// Returns whether a layer, or every slice of its result, is written quantized.
  func writesQuantized(_ node: Node, slices: [Node]) -> Bool {
    guard isInteger(node) else { return false }
    return slices.isEmpty ? isOnlyQuantized(node) : slices.allSatisfy { isOnlyQuantized($0) }
  }
}

extension Node {
  /// Whether the layer has a quantized form.
  fileprivate var canQuantize: Bool {
    inputs.first.map { operation?.canQuantize(reading: $0) ?? false } ?? false
  }
}
