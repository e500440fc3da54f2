import DepthBase

/// An up-convolution before its weights are packed for an algorithm.
struct UpConvolutionOperation: Operation {
  let inputChannels: Int
  let padding: UpConvolution.Padding
  /// For each of A, B, C and D, the weights of all branches.
  let phases: [[ConvolutionWeights]]
  let activations: [Activation]

  var kind: String { "up-conv" }
  var weights: [ConvolutionWeights] { phases.flatMap { $0 } }
  var packsWeights: Bool { true }

  var outputChannels: Int { phases[0].reduce(0) { $0 + $1.outputChannels } }

  /// Output channels with a ReLU, which are the leading branches.
  var reluChannels: Range<Int> {
    let count = zip(phases[0], activations).prefix { $1 == .relu }
      .reduce(0) { $0 + $1.0.outputChannels }
    precondition(
      !activations.dropFirst(activations.prefix { $0 == .relu }.count).contains(.relu),
      "branches with a ReLU must come first")
    return 0..<count
  }

  /// Four rows of `outputChannels`.
  private var bias: [Float] { weights.flatMap(\.bias) }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    UpConvolution.outputShape(for: input, outputChannels: outputChannels)
  }

  func isNonnegative(_ channels: Range<Int>, reading source: Node) -> Bool {
    reluChannels.contains(channels.lowerBound) && reluChannels.contains(channels.upperBound - 1)
  }

  func prepared(_ preparation: Preparation) throws -> any PreparedOperation {
    let rows = UpConvolution.Phase.allCases.map { self.rows(of: $0) }
    return try UpConvolution(
      inputChannels: inputChannels, outputChannels: outputChannels, padding: padding,
      kernels: { rows[$0.index] }, bias: bias, reluChannels: reluChannels,
      algorithm: .best(forUpConvolution: preparation.input), backend: preparation.backend,
      place: preparation.place, on: preparation.team)
  }

  func canQuantize(reading source: Node) -> Bool { true }

  func prepared(
    _ maps: MapQuantizations, instructionSet: Int8InstructionSet, packing: inout DeferredPacking
  ) throws -> any PreparedOperation {
    let rows = try UpConvolution.Phase.allCases.map { try self.quantizedRows(of: $0) }
    return QuantizedConvolution(
      upConvolution: padding, inputChannels: inputChannels, outputChannels: outputChannels,
      kernels: { rows[$0.index] }, bias: bias, reluChannels: reluChannels, input: maps.input,
      output: maps.output, instructionSet: instructionSet, packing: &packing)
  }

  /// Reads the kernels of all branches, concatenated along the output channels.
  private func rows(of phase: UpConvolution.Phase) -> KernelRows {
    let branches = phases[phase.index].map(\.rows)
    return { range in try parts(of: range).flatMap { try branches[$0.branch]($0.channels) } }
  }

  /// Reads the quantized kernels of all branches, concatenated along the output channels.
  private func quantizedRows(of phase: UpConvolution.Phase) throws -> QuantizedRows {
    let branches = try phases[phase.index].map { try $0.quantizedRows() }
    return { range in
      let read = try parts(of: range).map { try branches[$0.branch]($0.channels) }
      return (read.flatMap(\.values), read.flatMap(\.scales))
    }
  }

  /// The branches that a range of output channels covers, with the covered channels of each.
  private func parts(of range: Range<Int>) -> [(branch: Int, channels: Range<Int>)] {
    var first = 0
    return phases[0].enumerated().compactMap { branch, weights in
      defer { first += weights.outputChannels }
      let part = range.clamped(to: first..<first + weights.outputChannels)
      return part.isEmpty
        ? nil : (branch, part.lowerBound - first..<part.upperBound - first)
    }
  }
}
