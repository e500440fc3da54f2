import DepthBase
import DepthErrors
package import DepthImages
package import DepthNetworks
import NeuralEngine
import SystemEssentials
import WeightsFiles

/// A weights file's network, ready to run.
struct LoadedNetwork: Sendable {
  /// The weights file's name in errors.
  let name: String
  /// The network in the file.
  let configuration: DepthNetwork.Configuration
  /// The sizes of the network's input and map.
  let rule: InputRule
  let program: Program
  let digest: WeightsDigest
  /// The factor of the maps' logarithmic range when relative maps are fitted to the maps of this network.
  let widening: Double
  /// The factor of predicted errors for photos by other cameras.
  let otherCameraFactor: Double

  /// - Parameters:
  ///   - weights: The content of the file.
  ///   - call: The context whose threads read and transform weights.
  ///   - backend: The matrix-multiplication back end.
  ///   - precision: The arithmetic of convolutions.
  ///   - selection: The size of the input.
  ///   - keepsWeights: Whether weights of floats are packed once, for many runs.
  /// - Throws: `DepthError` that names the faulty tensor or attribute; `CancellationError`.
  init(
    _ weights: OpenedWeights, call: CallContext, backend: GEMMBackend,
    precision: Precision = .auto, selection: WeightsSelection? = nil, keepsWeights: Bool = true
  ) throws {
    try call.checkpoint(0)
    let (archive, network) = (weights.archive, weights.network)
    (name, digest) = (weights.name, weights.digest)
    configuration = network.configuration
    widening = try weights.factor(.logRangeWidening)
    otherCameraFactor = try weights.factor(.otherCameraErrors)
    rule = try InputRule(
      network, side: selection?.inputSize, tokens: selection?.tokens, file: name)
    let usual = rule.inputSize(
      height: InputRule.usualPhoto.height, width: InputRule.usualPhoto.width)
    let int8 = try precision.int8(for: archive, output: network.output, backend: backend)
    program = try network.output.compiled(
      forInput: .init(height: usual.height, width: usual.width, channels: 3), backend: backend,
      int8: int8, keepsWeights: keepsWeights, call: call)
  }

  /// Whether the network predicts the errors of its maps.
  var predictsErrors: Bool {
    if case .fcrn(let configuration) = configuration { configuration.outputs == 2 } else { false }
  }

  /// The arithmetic of the convolutions.
  var precision: Arithmetic {
    program.int8 != nil ? .int8 : .float32
  }

  /// Rows and columns of the network's input for a landscape photo of 4:3.
  var inputSize: (height: Int, width: Int) {
    rule.inputSize(height: InputRule.usualPhoto.height, width: InputRule.usualPhoto.width)
  }

  /// Rows and columns of the map of a landscape photo of 4:3.
  var outputSize: (height: Int, width: Int) {
    rule.mapSize(height: InputRule.usualPhoto.height, width: InputRule.usualPhoto.width)
  }

  /// The input's shape for `count` copies of a photo of this size.
  func inputShape(count: Int, height: Int, width: Int) -> Tensor.Shape {
    let size = rule.inputSize(height: height, width: width)
    return .init(count: count, height: size.height, width: size.width, channels: 3)
  }

  /// The camera of the training photos.
  var training: TrainingCamera { TrainingCamera(configuration) }

  /// Resizes a photo to the network's input size and scales its pixels.
  ///
  /// - Parameters:
  ///   - photo: A photo of any size.
  ///   - addsMirrored: Whether the photo's mirror image is the batch's second image.
  ///   - resized: Returns the photo with 8 bits at a given size, for networks that read bytes.
  /// - Returns: `1 × h × w × 3`, or `2 × h × w × 3`.
  func input(
    for photo: Image, addsMirrored: Bool, threads: Int,
    resized: (_ height: Int, _ width: Int) -> Image
  ) -> Tensor {
    let (height, width) = rule.inputSize(height: photo.height, width: photo.width)
    func normalized(_ photo: Image, _ scale: [Float], _ mean: [Float]) -> [Float] {
      (addsMirrored ? [photo, photo.mirrored] : [photo]).flatMap {
        bicubicInput(
          $0, height: height, width: width, scale: scale, mean: mean, threads: threads)
      }
    }
    let pixels: [Float]
    switch configuration {
    case .fcrn(let configuration):
      pixels = scaledChannels(
        of: resized(height, width), addsMirrored: addsMirrored, scale: configuration.pixelScale,
        mean: configuration.pixelMean, threads: threads)
    case .depthAnything(let configuration):
      pixels = normalized(photo, configuration.pixelScale, configuration.pixelMean)
    case .zipDepth(let configuration):
      // If the photo has the input's size, its bytes stay unchanged.
      pixels = normalized(
        resizedLinear(photo, height: height, width: width, threads: threads),
        configuration.pixelScale, configuration.pixelMean)
    case .moGe2(let configuration):
      pixels = (addsMirrored ? [photo, photo.mirrored] : [photo]).flatMap {
        antialiasedInput(
          $0, height: height, width: width, scale: configuration.pixelScale,
          mean: configuration.pixelMean, threads: threads)
      }
    }
    return Tensor(
      shape: .init(count: addsMirrored ? 2 : 1, height: height, width: width, channels: 3),
      elements: pixels)
  }

  /// Runs the network and splits its output into maps.
  ///
  /// - Parameters: See ``output(of:aspect:threads:memory:observe:beforeLayer:)``.
  /// - Returns: n maps.
  /// - Throws: Errors of `beforeLayer`; `DepthError` if weights that were not kept cannot be read.
  func maps(
    of input: Tensor, threads: Int, memory: MemoryPool,
    observe: ((Program.LayerReport) -> Void)? = nil,
    beforeLayer: (_ share: Double) throws -> Void = { _ in }
  ) throws -> [NetworkMap] {
    NetworkMap.maps(
      of: try output(
        of: input, threads: threads, memory: memory, observe: observe, beforeLayer: beforeLayer),
      unit: configuration.unit)
  }

  /// Runs the network.
  ///
  /// - Parameters:
  ///   - input: `n × h × w × 3`, from ``input(for:addsMirrored:threads:resized:)``.
  ///   - aspect: Width / height of the photo, if the input is squeezed.
  ///   - memory: The pool of reused workspaces.
  ///   - beforeLayer: Called before each layer with the completed share, 0…1.
  /// - Returns: The network's output, one map per image.
  /// - Throws: Errors of `beforeLayer`; `DepthError` if weights that were not kept cannot be read.
  func output(
    of input: Tensor, aspect: Double? = nil, threads: Int, memory: MemoryPool,
    observe: ((Program.LayerReport) -> Void)? = nil,
    beforeLayer: (_ share: Double) throws -> Void = { _ in }
  ) throws -> Tensor {
    let plan = program.memoryPlan(forInput: input.shape, threads: threads)
    return try memory.withMemory(for: plan) { memory in
      try program.run(
        input, aspect: aspect, in: memory, observe: observe, beforeLayer: beforeLayer
      ).output
    }
  }
}

extension DepthNetwork.Configuration {
  /// The unit of the network's values: metres or relative disparity.
  package var unit: DepthMap.Unit {
    switch self {
    case .fcrn: .metres
    case .depthAnything(let configuration):
      configuration.output == .relativeDisparity ? .relativeDisparity : .metres
    case .zipDepth: .relativeDisparity
    case .moGe2: .metres
    }
  }
}
