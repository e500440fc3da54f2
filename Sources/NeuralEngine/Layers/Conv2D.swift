import DepthBase

/// A convolution, followed by an optional batch norm, an optional addition and an activation.
///
/// Zero padding is (k − 1) / 2 on every side by default. Feature maps are `n × h × w × c`, NHWC; kernels are
/// read in OIHW order.
package struct Conv2D: Layer {
  private let operation: ConvolutionOperation
  private let layer: String
  private let name: String

  /// Checks the layer's weights and folds the batch norm.
  ///
  /// - Parameters:
  ///   - layer: The weights' group.
  ///   - norm: The batch norm's group; `nil` for none.
  ///   - name: The name of the result; by default the name of the last group.
  ///   - padding: Rows and columns around the input; (k − 1) / 2 on every side by default.
  ///   - border: The values of the padding.
  ///   - inputChannels: Channels of the input.
  ///   - outputChannels: Channels of the result.
  ///   - hasBias: Whether the convolution has its own bias in addition to batch norm.
  ///   - activation: The function that follows.
  ///   - measuredScale: The extent of scales that integer layers measure. By default, stored scales are
  ///     required.
  /// - Throws: `DepthError` when a tensor is missing, mis-shaped or not finite.
  package init(
    _ weights: WeightScope, _ layer: String, norm: String? = nil, name: String? = nil,
    kernelSize: Int, stride: Int = 1, padding: ConvolutionGeometry.Padding? = nil,
    border: ConvolutionGeometry.Border = .zeros,
    _ inputChannels: Int, _ outputChannels: Int, hasBias: Bool = false,
    activation: Activation = .none, measuredScale: MeasuredScale = .none
  ) throws {
    self.layer = layer
    self.name = name ?? norm ?? layer
    operation = ConvolutionOperation(
      geometry: ConvolutionGeometry(
        kernelHeight: kernelSize, kernelWidth: kernelSize, stride: stride, padding: padding,
        border: border,
        inputChannels: inputChannels, outputChannels: outputChannels),
      convolutionWeights: try ConvolutionWeights(
        weights, layer: layer, norm: norm, hasBias: hasBias,
        shape: [outputChannels, inputChannels, kernelSize, kernelSize]),
      activation: activation, measuredScale: measuredScale)
  }

  package func callAsFunction(_ x: Node) -> Node { callAsFunction(x, adding: nil) }

  /// Extends the graph by this layer with a residual.
  ///
  /// - Parameter residual: Added after batch norm and before the activation.
  package func callAsFunction(_ x: Node, adding residual: Node?) -> Node {
    x.require(channels: operation.geometry.inputChannels)
    return Node(
      operation, layer: layer, name: name, channels: operation.geometry.outputChannels,
      inputs: [x] + (residual.map { [$0] } ?? []))
  }
}

/// A convolution before its weights are packed for an algorithm.
struct ConvolutionOperation: Operation {
  let geometry: ConvolutionGeometry
  let convolutionWeights: ConvolutionWeights
  let activation: Activation
  let measuredScale: MeasuredScale

  var kind: String { geometry.kind }
  var weights: [ConvolutionWeights] { [convolutionWeights] }
  var packsWeights: Bool { true }
  var borderRead: Int { geometry.largestPadding }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { geometry.outputShape(for: input) }

  func isNonnegative(_ channels: Range<Int>, reading source: Node) -> Bool {
    activation.isNonnegative
  }

  /// Prepares the layer. If requested, the layer is an integer layer that measures scales.
  func prepared(_ preparation: Preparation) throws -> any PreparedOperation {
    if let int8 = preparation.int8, measuredScale != .none {
      let (rows, bias) = (try convolutionWeights.quantizedRows(), convolutionWeights.bias)
      return measuredScale == .pixel
        ? try QuantizedTokenProduct(
          geometry, kernels: rows, bias: bias, activation: activation, instructionSet: int8,
          on: preparation.team)
        : try MeasuredConvolution(
          geometry, kernels: rows, bias: bias, activation: activation,
          isNonnegative: preparation.isNonnegative, instructionSet: int8, on: preparation.team)
    }
    return try Convolution(
      geometry, kernels: convolutionWeights.rows, bias: convolutionWeights.bias,
      activation: activation,
      algorithm: .best(
        for: geometry, input: preparation.input, addsMap: preparation.readsSecond),
      backend: preparation.backend, place: preparation.place, on: preparation.team)
  }

  /// Returns whether a quantized form exists. Dense kernels of more than 3×3 taps must read a quantized input.
  /// An exponential function has no quantized form.
  func canQuantize(reading source: Node) -> Bool {
    activation != .exp && measuredScale == .none
      && (geometry.largestPadding <= 1 || source.isQuantizedInput)
  }

  func prepared(
    _ maps: MapQuantizations, instructionSet: Int8InstructionSet, packing: inout DeferredPacking
  ) throws -> any PreparedOperation {
    QuantizedConvolution(
      geometry, kernels: try convolutionWeights.quantizedRows(), bias: convolutionWeights.bias,
      activation: activation, maps: maps, instructionSet: instructionSet,
      packing: &packing)
  }
}
