import DepthImages
import DepthNetworks
import NetworkWeights
import NeuralEngine

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One weights file, ready to run.
struct LoadedNetwork: Sendable {
  /// The file that the weights came from.
  let file: URL
  /// The network that the file describes.
  let configuration: FCRNConfiguration
  let program: Program
  let digest: WeightsDigest

  /// - Parameters:
  ///   - file: An HDF5 file.
  ///   - threads: Threads that read and transform weights.
  ///   - backend: The matrix-multiplication back end.
  /// - Throws: `DepthError`, naming the tensor or attribute at fault.
  init(_ file: URL, threads: Int, backend: GEMMBackend) throws {
    let archive = try HDF5WeightArchive(path: file.path(percentEncoded: false))
    let network = try FCRN(archive)
    self.file = file
    configuration = network.configuration
    program = try network.output.compiled(
      forInput: network.inputShape, backend: backend, threads: threads)
    digest = WeightsDigest(of: file, known: archive.sha256)
  }

  /// Rows and columns of the network's input for a landscape photo.
  var inputSize: (height: Int, width: Int) {
    (configuration.inputHeight, configuration.inputWidth)
  }

  /// Rows and columns of the map of a landscape photo.
  var outputSize: (height: Int, width: Int) {
    ((configuration.inputHeight + 31) / 32 * 16, (configuration.inputWidth + 31) / 32 * 16)
  }

  /// The input's shape for `count` landscape photos.
  func inputShape(count: Int) -> Tensor.Shape {
    .init(
      count: count, height: configuration.inputHeight, width: configuration.inputWidth, channels: 3)
  }

  /// Bytes that a run needs: its input as bytes and as floats, activations and scratch.
  func bytes(for shape: Tensor.Shape, threads: Int) -> Int {
    program.memoryPlan(forInput: shape, threads: threads).bytes + 5 * shape.elementCount
  }

  /// Scales the pixels of a stretched photo to the network's input.
  ///
  /// - Parameters:
  ///   - photo: A photo of the network's input size, lying or upright.
  ///   - addsMirrored: Whether the photo's mirror image follows it, as the second image of the batch.
  /// - Returns: `1 × h × w × 3`, or `2 × h × w × 3`.
  func input(for photo: Image, addsMirrored: Bool) -> Tensor {
    let (scale, mean) = (configuration.pixelScale, configuration.pixelMean)
    var elements = scaledChannels(photo.pixels, scale: scale, mean: mean)
    if addsMirrored { elements += scaledChannels(photo.mirrored.pixels, scale: scale, mean: mean) }
    return Tensor(
      shape: .init(
        count: addsMirrored ? 2 : 1, height: photo.height, width: photo.width, channels: 3),
      elements: elements)
  }

  /// Runs the network.
  ///
  /// - Parameters:
  ///   - input: `n × h × w × 3`, as ``input(for:addsMirrored:)`` makes them.
  ///   - memory: Where workspaces are reused between runs.
  /// - Returns: n maps, in metres.
  func depths(
    of input: Tensor, threads: Int, memory: MemoryPool,
    observe: ((Program.StepReport) -> Void)? = nil
  ) -> [DepthMap] {
    let plan = program.memoryPlan(forInput: input.shape, threads: threads)
    let output = memory.withMemory(for: plan) { memory in
      program.run(input, in: memory, observe: observe).output
    }
    let shape = output.shape
    return (0..<shape.count).map { image in
      DepthMap(
        height: shape.height, width: shape.width, unit: .metres,
        values: Array(output.elements[image * shape.area..<(image + 1) * shape.area]))
    }
  }
}
