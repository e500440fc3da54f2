import DepthBase
import DepthErrors
public import DepthImages
package import DepthNetworks
import NeuralEngine
public import SystemEssentials
import WeightsFiles

/// Estimates the depth of photos: for each pixel of a map, the distance along the optical axis in metres.
///
/// Relative weights result in relative disparity instead of metres. ``unit`` and each map state the unit.
///
/// With several weights files, every network estimates the photo, and a pixel's depth is the geometric mean of the networks'
/// depths. Each network can also estimate the photo's mirror image, whose map is mirrored back and included in the mean.
///
/// An estimator loads its weights once, and any number of threads and tasks may share it. Estimates of the same photo are equal
/// bit by bit, on any number of threads, for any order of files and under any load.
///
/// `depth(of:)` and `estimate(of:)` exist in two forms. In an `async` function, `try await estimator.depth(of: photo)` does not
/// block Swift's cooperative threads, ends soon after cancellation and can report progress. The form without `await` blocks the
/// calling thread. To load weights in an `async` function, call ``load(_:metres:threads:precision:progress:)``.
///
/// After `fork`, a child process may use its parent's estimator if no call was running at that moment. The child starts its own
/// helper threads. Only blocking calls work there, because Swift's cooperative threads do not survive `fork`.
///
/// ```swift
/// let estimator = try DepthEstimator()  // the bundled weights
/// let depth = try estimator.depth(of: photo)  // metres, the photo's size
/// ```
///
/// > Note: Metres depend on the camera. This package's weights were trained on photos of a Kinect, whose angle of view is 63°
/// > along the width. For another camera, depth is multiplied by a power of the ratio of its focal length to the Kinect's, if
/// > the Exif block or the caller provides the focal length (``PhotoCamera``). Otherwise depth is wrong by this factor.
public struct DepthEstimator: Sendable {
  /// The loaded weights files, in the given order; empty for weights in memory.
  public let weights: [URL]
  /// Whether each network also estimates the photo's mirror image, for twice the time.
  package let averagesMirrored: Bool
  /// The configuration of the first file's network.
  package let configuration: DepthNetwork.Configuration
  /// The arithmetic of the networks' layers.
  public let precision: Arithmetic
  /// Threads of a single estimate; concurrent estimates share these threads.
  public private(set) var threads: Int
  /// Bytes of memory for one photo, in addition to the weights. For a network that keeps proportions, the number is for a 4:3
  /// photo; more elongated photos need more.
  package let networkBytes: Int
  /// The shorter input side that the caller has chosen; `nil` for the networks' own sides.
  private let inputSizeOption: Int?
  /// The number of patches that the caller has chosen; `nil` for the usual number.
  private let tokensOption: Int?
  let networks: [LoadedNetwork]
  let memory: MemoryPool
  /// The metric networks; `nil` for weights in metres, or for maps that stay relative.
  let yardstick: Yardstick?

  /// - Parameters:
  ///   - weights: 1 to 16 files.
  ///   - metres: Weights in metres to which relative maps are fitted.
  ///   - threads: Threads of an estimate, 1…256; by default one per processor.
  ///   - call: The context whose threads open, read and transform weights.
  ///   - backend: The matrix-multiplication back end.
  ///   - precision: The arithmetic of convolutions.
  ///   - keepsWeights: Whether the weights are packed once, for many photos. Otherwise the weights are packed again for each
  ///     photo, and their files must not change.
  init(
    _ weights: WeightsSelection, metres: WeightsSelection? = nil, threads: Int?, call: CallContext,
    backend: GEMMBackend = .best, precision: Precision = .auto, keepsWeights: Bool = true
  ) throws {
    let sources = try weights.sources()
    try sources.count.checked(in: OpenedWeights.counts, "the number of weights files", "1 to 16")
    let threads = try ThreadCount.checked(threads)
    try InstructionSet.checkEnvironment()
    try call.checkpoint(0)
    try Self.requireAddresses(for: sources)
    let opened = try OpenedWeights.opened(
      sources, kind: weights.kind, givesNormals: weights.givesNormals, threads: call.threads)
    var precision = precision
    if precision == .auto, sources.count > 1 {
      // All networks of an estimate use the same arithmetic.
      let allChoose = try opened.allSatisfy {
        try Precision.auto.int8(for: $0.archive, output: $0.network.output, backend: backend)
          != nil
      }
      if !allChoose { precision = .float32 }
    }
    let wanted = precision
    networks = try opened.enumerated().map { index, opened in
      try LoadedNetwork(
        opened, call: call.step(index, of: sources.count), backend: backend, precision: wanted,
        selection: weights, keepsWeights: keepsWeights)
    }
    self.precision = networks[0].precision
    memory = MemoryPool()
    self.weights = sources.compactMap(\.file)
    averagesMirrored = weights.averagesMirrored
    self.threads = threads
    (inputSizeOption, tokensOption) = (weights.inputSize, weights.tokens)
    configuration = networks[0].configuration
    if let metres, configuration.unit == .relativeDisparity {
      yardstick = try Yardstick(
        DepthEstimator(
          metres == .default ? .compact : metres, threads: threads, call: call, backend: backend,
          keepsWeights: keepsWeights))
    } else {
      yardstick = nil
    }
    networkBytes =
      Self.bytes(
        of: networks, photo: InputRule.usualPhoto, threads: threads,
        imagesPerPhoto: averagesMirrored ? 2 : 1) + (yardstick?.estimator.networkBytes ?? 0)
    try Self.checkOutputSizes(of: networks)
    try MemoryNeed(bytes: networkBytes).require(for: Self.names(of: networks))
    try call.checkpoint(1)
  }

  /// Throws if an address space limit (`ulimit -v`) is too low to read and pack weights, since a failed allocation ends the
  /// process. Other limits are checked page by page.
  ///
  /// - Throws: `DepthError` with code `insufficientMemory`.
  private static func requireAddresses(for sources: [WeightsSource]) throws {
    guard MemoryBudget.hasAddressLimit else { return }
    let bytes = sources.reduce(24_000_000) { $0 + 3 * $1.bytes }
    try MemoryNeed(bytes: bytes).require(
      for: sources.map(\.name).joined(separator: ", "), budget: .current)
  }

  /// The names of all weights, for errors.
  static func names(of networks: [LoadedNetwork]) -> String {
    networks.map(\.name).joined(separator: ", ")
  }

  /// The same networks with another number of threads, which does not change a single bit of an estimate.
  ///
  /// - Precondition: `threads` is positive.
  package func using(threads: Int) -> DepthEstimator {
    precondition(threads > 0, "\(threads) threads, expected at least 1")
    var estimator = self
    estimator.threads = threads
    return estimator
  }

  /// - Throws: `DepthError` if one of several networks estimates relative disparity or point maps, or if training cameras or
  ///   map sizes differ.
  private static func checkOutputSizes(of networks: [LoadedNetwork]) throws {
    if networks.count > 1,
      let relative = networks.first(where: { $0.configuration.unit == .relativeDisparity })
    {
      throw DepthError(
        .weightsMismatch, file: relative.name,
        "gives relative disparity, whose scale and shift are its own: it cannot be combined with other weights, use it alone"
      )
    }
    if networks.count > 1, let scalable = networks.first(where: \.rule.givesPoints) {
      throw DepthError(
        .weightsMismatch, file: scalable.name,
        "estimates the photo's camera with its depth: it cannot be combined with other weights, use it alone"
      )
    }
    let exponent = networks[0].training.focalExponent
    for network in networks where network.training.focalExponent != exponent {
      throw DepthError(
        .weightsMismatch, file: network.name,
        "has a focal_exponent of \(network.training.focalExponent), expected \(exponent) as in "
          + "\(networks[0].name): they cannot be combined")
    }
    for network in networks where network.training != networks[0].training {
      throw DepthError(
        .weightsMismatch, file: network.name,
        "was trained with another camera than \(networks[0].name): they cannot be combined")
    }
    let (height, width) = networks[0].outputSize
    for network in networks where network.outputSize != (height, width) {
      let found = network.outputSize
      throw DepthError.unreadable(
        file: network.name,
        reason:
          "the network's maps are \(found.width)×\(found.height), expected \(width)×\(height) "
          + "as in \(networks[0].name): maps of different sizes cannot be combined"
      )
    }
  }

  /// Memory for one photo. Networks with the same plan share workspaces.
  private static func bytes(
    of networks: [LoadedNetwork], photo: (height: Int, width: Int), threads: Int,
    imagesPerPhoto: Int
  ) -> Int {
    let shapes = networks.map {
      $0.inputShape(count: imagesPerPhoto, height: photo.height, width: photo.width)
    }
    let plans = Set(
      zip(networks, shapes).map { $0.program.memoryPlan(forInput: $1, threads: threads) })
    // Inputs are stored as bytes and floats, maps as floats and logarithms.
    let inputs = shapes.map { 5 * $0.elementCount }
    let maps = networks.map { network in
      let map = network.rule.mapSize(height: photo.height, width: photo.width)
      return 12 * imagesPerPhoto * map.height * map.width
    }
    return plans.reduce(0) { $0 + $1.bytes } + inputs.reduce(0, +) + maps.reduce(0, +)
  }

  /// Bytes of memory for one photo of this size, in addition to the weights.
  package func networkBytes(height: Int, width: Int) -> Int {
    if case .stretched = networks[0].rule { return networkBytes }
    return Self.bytes(
      of: networks, photo: (height, width), threads: threads,
      imagesPerPhoto: averagesMirrored ? 2 : 1)
      + (yardstick?.estimator.networkBytes(height: height, width: width) ?? 0)
  }

  /// The network's name in the first weights file: `fcrn-efficientnet-lite2-upproj`, `fcrn-resnet50-upproj` (the network of the
  /// FCRN paper), `depth-anything-v2`, `zipdepth-base` or `moge-2`.
  package var architecture: String { configuration.architecture }

  /// The unit of the estimated maps: `.metres`, or `.relativeDisparity` for disparity of unknown scale and shift. The loading
  /// option `metres` converts relative disparity to metres by a second network, and ``DepthCalibration`` by known points.
  public var unit: DepthMap.Unit { yardstick == nil ? configuration.unit : .metres }

  /// Rows and columns of the first network's input for a landscape photo; exchanged for a portrait photo. For a network that
  /// keeps proportions, the size is for a 4:3 photo.
  package var inputSize: (height: Int, width: Int) { networks[0].inputSize }

  /// Rows and columns of a landscape photo's map; exchanged for a portrait photo. For a network that keeps proportions, the
  /// size is for a 4:3 photo.
  package var outputSize: (height: Int, width: Int) { networks[0].outputSize }

  /// Rows and columns of the network's map for a photo of `height` × `width` pixels.
  package func outputSize(height: Int, width: Int) -> (height: Int, width: Int) {
    networks[0].rule.mapSize(height: height, width: width)
  }

  /// Rows and columns of the network's map for options. Unrefined maps of a point-map network have the photo's size; other maps
  /// have the network's own size.
  package func mapSize(height: Int, width: Int, options: DepthOptions) -> (height: Int, width: Int)
  {
    givesPoints && options.refinement == .none
      ? (height, width) : outputSize(height: height, width: width)
  }

  /// Throws for a photo with proportions that a network does not support, before any memory check.
  ///
  /// - Throws: `DepthError` with code `invalidArgument`.
  package func checkProportions(height: Int, width: Int) throws {
    for network in networks { try network.rule.check(height: height, width: width) }
    try yardstick?.estimator.checkProportions(height: height, width: width)
  }

  /// The configurations of all files' networks.
  package var configurations: [DepthNetwork.Configuration] { networks.map(\.configuration) }

  /// The camera of the training photos of the yardstick, or without a yardstick, of the first network.
  package var training: TrainingCamera { (yardstick?.estimator ?? self).networks[0].training }

  /// A text that identifies the weights and their use.
  ///
  /// A file is identified by the 64 hexadecimal digits of a SHA-256. A file of version 2 stores the SHA-256 of all bytes after
  /// the first 512. For a file of version 1, the first call computes the SHA-256 of the whole file. For a published file, a
  /// separate thread computes the SHA-256, beginning when the file is opened.
  ///
  /// The identifiers of several files are in ascending order, joined by `+`. These suffixes follow, in this order: `+mirrored`
  /// if the networks also estimate the mirrored photo, `+input308` for a chosen input size (here 308), `+tokens1800` for a
  /// chosen number of tokens, `+int8` for this precision, and `+metres-` with the identifier of the metric weights.
  ///
  /// - Throws: `DepthError` with code `unreadable` if a file no longer exists.
  public func weightsIdentifier() throws -> String { try weightsIdentifier(DepthOptions()) }

  /// The identifier for maps with these options, which may leave maps relative.
  package func weightsIdentifier(_ options: DepthOptions) throws -> String {
    let digests = try networks.map { try $0.digest.hexadecimal() }.sorted()
    let ways = [
      averagesMirrored ? "mirrored" : nil, inputSizeOption.map { "input\($0)" },
      tokensOption.map { "tokens\($0)" },
      precision == .float32 ? nil : precision.rawValue,
      try fits(options) ? yardstick.map { try "metres-" + $0.estimator.weightsIdentifier() } : nil,
    ]
    return (digests + ways.compactMap { $0 }).joined(separator: "+")
  }
}
