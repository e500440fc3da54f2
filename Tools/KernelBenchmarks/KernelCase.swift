import NeuralEngine
import SIMDKernels
import ThreadTeams

/// One layer computed by one algorithm, with made-up weights and maps of its own.
struct KernelCase: Sendable {
  private enum Prepared: Sendable {
    case convolution(Convolution)
    case quartet(UpConvolution)
  }

  let layer: NetworkStructure.Layer
  let algorithm: ConvolutionAlgorithm
  private let prepared: Prepared
  private let workspace: Workspace
  private let values, added: Tensor
  private let input, output, residual: FeatureMap
  private let scratch: Int

  /// What can compute a layer; nothing for a layer that is no convolution.
  static func algorithms(for layer: NetworkStructure.Layer) -> [ConvolutionAlgorithm] {
    switch layer.operation {
    case .convolution(let geometry):
      // Whether a layer takes a residual is not asked here: the tap sum has one channel and none is added.
      ConvolutionAlgorithm.applicable(to: geometry)
    case .quartet: WinogradTiles.sizes.map { .winograd(tile: $0) }
    case .maxPool: []
    }
  }

  /// What the network uses for a layer.
  static func chosen(
    for layer: NetworkStructure.Layer, on instructionSet: InstructionSet
  ) -> ConvolutionAlgorithm? {
    switch layer.operation {
    case .convolution(let geometry):
      .best(for: geometry, input: layer.input, on: instructionSet)
    case .quartet:
      layer.tiled.map { .winograd(tile: WinogradTiles.best(for: $0, on: instructionSet)) }
    case .maxPool: nil
    }
  }

  /// Prepares made-up weights.
  ///
  /// - Precondition: `algorithm` is one of ``algorithms(for:)``.
  init(
    _ layer: NetworkStructure.Layer, _ algorithm: ConvolutionAlgorithm, products: Products,
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
            geometry, kernels: rows, bias: madeUp(outputs), rectified: true, algorithm: algorithm,
            products: products, on: team)
        })
    case (.quartet, .winograd(let tile)):
      prepared = .quartet(
        unfailing {
          try UpConvolution(
            inputChannels: inputs, outputChannels: outputs, padding: .topLeft,
            kernels: { madeUpRows(inputs * $0.kernelHeight * $0.kernelWidth) },
            bias: madeUp(4 * outputs), rectified: 0..<outputs / 2, tile: tile, products: products,
            on: team)
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
      case .quartet(let quartet): quartet.scratchCount(for: layer.input, threads: team.threads)
      }
    workspace = Workspace(capacity: scratch + scratchCount)
  }

  /// Bytes of the prepared kernels.
  var weightBytes: Int {
    switch prepared {
    case .convolution(let convolution): convolution.weightBytes
    case .quartet(let quartet): quartet.weightBytes
    }
  }

  /// Bytes that have to come and go at least once: kernels and maps.
  var bytes: Int {
    let maps = layer.input.elementCount + layer.output.elementCount
    let sum = layer.residual == nil ? 0 : layer.output.elementCount
    return weightBytes + (maps + sum) * MemoryLayout<Float>.stride
  }

  /// Multiply–adds that the algorithm does.
  var productMultiplyAdds: Int {
    switch prepared {
    case .convolution(let convolution): convolution.productMultiplyAdds(for: layer.input)
    case .quartet(let quartet): quartet.productMultiplyAdds(for: layer.input)
    }
  }

  /// Writes what the layer reads, as the layers before it do in a network.
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
    case .quartet(let quartet):
      quartet.run(input, into: output, scratch: scratch, in: workspace, on: team)
    }
  }
}

extension NetworkStructure.Layer {
  /// Multiply–adds of the direct form.
  var multiplyAdds: Int {
    switch operation {
    case .convolution(let geometry): geometry.multiplyAdds(for: output)
    case .quartet: 25 * input.rows * input.channels * output.channels
    case .maxPool: 0
    }
  }

  /// The layer as the table of tiles knows it; `nil` where Winograd's algorithm does not apply.
  var tiled: WinogradTiles.Layer? {
    switch operation {
    case .convolution(let geometry):
      ConvolutionAlgorithm.applicable(to: geometry).contains(.winograd(tile: 2))
        ? .init(.convolution, input.channels, output.channels, pixels: input.area) : nil
    case .quartet: .init(.quartet, input.channels, output.channels, pixels: input.area)
    case .maxPool: nil
    }
  }
}

/// Numbers in −½ … ½ without zeros or denormals, which would cost another time.
private func madeUp(_ count: Int) -> [Float] {
  (0..<count).map { Float(($0 &* 2_654_435_761) >> 12 & 255) / 255 - 0.501 }
}

/// Made-up kernels of `count` values an output channel.
private func madeUpRows(_ count: Int) -> KernelRows {
  { madeUp($0.count * count) }
}

/// Preparing fails only where reading weights does, and made-up ones are not read.
private func unfailing<Result>(_ prepare: () throws -> Result) -> Result {
  do { return try prepare() } catch { preconditionFailure("\(error)") }
}
