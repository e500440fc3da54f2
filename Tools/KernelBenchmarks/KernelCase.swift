import DepthBase
import NeuralEngine

/// One layer computed by one algorithm, with synthetic weights and its own maps.
struct KernelCase: Sendable {
  private enum Prepared: Sendable {
    case convolution(Convolution)
    case upConvolution(UpConvolution)
  }

  let layer: NetworkStructure.Layer
  let algorithm: ConvolutionAlgorithm
  private let prepared: Prepared
  private let workspace: Workspace
  private let values, added: Tensor
  private let input, output, residual: FeatureMap
  private let scratch: Int

  /// The algorithms that can compute a layer; none for a layer that is not a convolution.
  static func algorithms(for layer: NetworkStructure.Layer) -> [ConvolutionAlgorithm] {
    switch layer.operation {
    case .convolution(let geometry):
      // The tap sum does not add a residual, but layers with one or two output channels never have one.
      ConvolutionAlgorithm.applicable(to: geometry)
    case .upConvolution: WinogradTiles.sizes.map { .winograd(tile: $0) }
    case .maxPool, .depthwise, .globalContext, .float: []
    }
  }

  /// The algorithm that the network uses for a layer.
  static func chosen(for layer: NetworkStructure.Layer) -> ConvolutionAlgorithm? {
    switch layer.operation {
    case .convolution(let geometry): .best(for: geometry, input: layer.input)
    case .upConvolution: .best(forUpConvolution: layer.input)
    case .maxPool, .depthwise, .globalContext, .float: nil
    }
  }

  /// Packs synthetic weights.
  ///
  /// - Precondition: `algorithm` is one of ``algorithms(for:)``.
  init(
    _ layer: NetworkStructure.Layer, _ algorithm: ConvolutionAlgorithm, backend: GEMMBackend,
    on team: ThreadTeam
  ) {
    (self.layer, self.algorithm) = (layer, algorithm)
    let (inputs, outputs) = (layer.input.channels, layer.output.channels)
    switch (layer.operation, algorithm) {
    case (.convolution(let geometry), _):
      let rows = madeUpRows(inputs * geometry.taps)
      prepared = .convolution(
        unfailing {
          try Convolution(
            geometry, kernels: rows, bias: madeUp(outputs), activation: .relu, algorithm: algorithm,
            backend: backend, on: team)
        })
    case (.upConvolution, .winograd):
      prepared = .upConvolution(
        unfailing {
          try UpConvolution(
            inputChannels: inputs, outputChannels: outputs, padding: .topLeft,
            kernels: { madeUpRows(inputs * $0.kernelHeight * $0.kernelWidth) },
            bias: madeUp(4 * outputs), reluChannels: 0..<outputs / 2, algorithm: algorithm,
            backend: backend, on: team)
        })
    default: preconditionFailure("\(layer.name) cannot be computed by \(algorithm)")
    }
    values = Tensor(shape: layer.input, elements: madeUp(layer.input.elementCount))
    added = Tensor(shape: layer.output, elements: madeUp(layer.output.elementCount))
    input = FeatureMap(shape: layer.input, offset: 0)
    residual = FeatureMap(shape: layer.output, offset: Workspace.aligned(input.extent))
    let size = Workspace.aligned(residual.extent)
    output = FeatureMap(shape: layer.output, offset: residual.offset + size)
    scratch = output.offset + size
    let scratchCount =
      switch prepared {
      case .convolution(let convolution):
        convolution.scratchCount(for: layer.input, threads: team.threads)
      case .upConvolution(let upConvolution):
        upConvolution.scratchCount(for: layer.input, threads: team.threads)
      }
    workspace = Workspace(capacity: scratch + scratchCount)
  }

  /// Bytes of the packed weights.
  var weightBytes: Int {
    switch prepared {
    case .convolution(let convolution): convolution.weightBytes
    case .upConvolution(let upConvolution): upConvolution.weightBytes
    }
  }

  /// Bytes that are read or written at least once: weights and maps.
  var bytes: Int {
    let maps = layer.input.elementCount + layer.output.elementCount
    let sum = layer.residual == nil ? 0 : layer.output.elementCount
    return weightBytes + (maps + sum) * MemoryLayout<Float>.stride
  }

  /// Multiply–adds of the algorithm's matrix products.
  var productMultiplyAdds: Int {
    switch prepared {
    case .convolution(let convolution): convolution.productMultiplyAdds(for: layer.input)
    case .upConvolution(let upConvolution): upConvolution.productMultiplyAdds(for: layer.input)
    }
  }

  /// Writes the layer's inputs, as the preceding layers of a network do.
  func writeMaps() {
    workspace.write(values, to: input)
    if layer.residual != nil { workspace.write(added, to: residual) }
  }

  func run(on team: ThreadTeam) {
    switch prepared {
    case .convolution(let convolution):
      convolution.run(
        input, adding: layer.residual == nil ? nil : residual, into: output, scratch: scratch,
        in: workspace, on: team)
    case .upConvolution(let upConvolution):
      upConvolution.run(input, into: output, scratch: scratch, in: workspace, on: team)
    }
  }
}

extension NetworkStructure.Layer {
  /// Multiply–adds of the direct form.
  var multiplyAdds: Int {
    switch operation {
    case .convolution(let geometry): geometry.multiplyAdds(for: output)
    case .upConvolution: 25 * input.rows * input.channels * output.channels
    case .depthwise(let geometry): geometry.multiplyAdds(for: output)
    case .globalContext: input.count * input.channels * output.channels
    case .maxPool, .float: 0
    }
  }
}

/// Numbers in −½ … ½ without zeros and subnormal numbers, which would take a different time.
private func madeUp(_ count: Int) -> [Float] {
  (0..<count).map { Float(($0 &* 2_654_435_761) >> 12 & 255) / 255 - 0.501 }
}

/// Synthetic kernels of `count` values per output channel.
private func madeUpRows(_ count: Int) -> KernelRows {
  { madeUp($0.count * count) }
}

/// Packing fails only where reading weights does, and synthetic weights are not read.
private func unfailing<Result>(_ prepare: () throws -> Result) -> Result {
  do { return try prepare() } catch { preconditionFailure("\(error)") }
}
