import DepthImages
import DepthNetworks
import DepthWeights
import NetworkWeights
import NeuralEngine
import SystemEssentials
import ThreadTeams

/// The weights of one network, not read yet.
enum WeightsSource: Sendable {
  case file(URL)
  /// The bytes of a file, and what errors call it.
  case memory(Data, name: String)

  var name: String {
    switch self {
    case .file(let file): file.relativePath
    case .memory(_, let name): name
    }
  }

  /// Opens the file.
  ///
  /// - Throws: `DepthError`, naming the tensor or attribute at fault.
  func opened() throws -> (archive: HDF5WeightArchive, digest: WeightsDigest) {
    switch self {
    case .file(let file):
      let archive = try HDF5WeightArchive(
        path: file.path(percentEncoded: false), knownDigests: DepthWeights.digests)
      return (archive, WeightsDigest(of: archive))
    case .memory(let data, let name):
      let archive = try HDF5WeightArchive(
        bytes: data.span, name: name, knownDigests: DepthWeights.digests)
      // At once: the copy in memory is not kept for it.
      return (archive, WeightsDigest(try archive.sha256 ?? archive.digestOfAllBytes()))
    }
  }
}

/// One weights file, ready to run.
struct LoadedNetwork: Sendable {
  /// What errors call the file that the weights came from.
  let name: String
  /// The network that the file describes.
  let configuration: FCRNConfiguration
  let program: Program
  let digest: WeightsDigest

  /// - Parameters:
  ///   - source: An HDF5 file.
  ///   - call: Its threads read and transform weights.
  ///   - backend: The matrix-multiplication back end.
  ///   - precision: The arithmetic of its convolutions.
  ///   - keepsWeights: Whether weights of floats are packed once, for many runs.
  /// - Throws: `DepthError`, naming the tensor or attribute at fault; `CancellationError`.
  init(
    _ source: WeightsSource, call: CallContext, backend: GEMMBackend,
    precision: Precision = .float32, keepsWeights: Bool = true
  ) throws {
    try call.reach(0)
    let bfloat16 = try precision.bfloat16(backend: backend)
    let (archive, digest) = try source.opened()
    let network = try FCRN(archive)
    name = source.name
    configuration = network.configuration
    program = try network.output.compiled(
      forInput: network.inputShape, backend: backend,
      codes: precision.codes(for: archive, output: network.output, backend: backend),
      bfloat16: bfloat16, keepsWeights: keepsWeights, call: call)
    self.digest = digest
  }

  /// The arithmetic of its convolutions; never `auto`.
  var precision: Precision {
    program.codes != nil ? .int8 : program.bfloat16 != nil ? .bfloat16 : .float32
  }

  /// Whether `auto` means integers for a weights file.
  ///
  /// - Throws: `DepthError`, naming the tensor or attribute at fault.
  static func choosesIntegers(_ source: WeightsSource, backend: GEMMBackend) throws -> Bool {
    let archive = try source.opened().archive
    let network = try FCRN(archive)
    return try Precision.auto.codes(for: archive, output: network.output, backend: backend) != nil
  }

  /// Rows and columns of the network's input for a landscape photo.
  var inputSize: (height: Int, width: Int) {
    (configuration.inputHeight, configuration.inputWidth)
  }

  /// Rows and columns of the map of a landscape photo.
  var outputSize: (height: Int, width: Int) { configuration.outputSize }

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
  /// - Returns: n maps.
  /// - Throws: `DepthError` when weights that are not kept cannot be read.
  func maps(
    of input: Tensor, threads: Int, memory: MemoryPool,
    observe: ((Program.StepReport) -> Void)? = nil
  ) throws -> [NetworkMap] {
    try maps(of: input, threads: threads, memory: memory, observe: observe) { _ in }
  }

  /// ``maps(of:threads:memory:observe:)`` that can be ended early.
  ///
  /// - Parameter beforeStep: Called before each step with the share that is done, 0…1.
  /// - Throws: Whatever `beforeStep` throws; `DepthError` when weights that are not kept cannot be read.
  func maps(
    of input: Tensor, threads: Int, memory: MemoryPool,
    observe: ((Program.StepReport) -> Void)? = nil, beforeStep: (_ share: Double) throws -> Void
  ) throws -> [NetworkMap] {
    let plan = program.memoryPlan(forInput: input.shape, threads: threads)
    let output = try memory.withMemory(for: plan) { memory in
      try program.run(input, in: memory, observe: observe, beforeStep: beforeStep).output
    }
    return NetworkMap.maps(of: output)
  }
}
