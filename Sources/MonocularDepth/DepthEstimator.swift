import AtomicFiles
import ProcessLimits
import SIMDKernels
public import DepthImages
import NetworkWeights
package import NeuralEngine
import ThreadTeams
public import DepthNetworks

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Estimates the distance of every part of a photo, in metres.
///
///     let estimator = try DepthEstimator()
///     let depth = try estimator.depth(of: Image(contentsOf: url))
///
/// Loads its weights once; may be shared by any number of threads. The same photo gives the same bits,
/// whatever the number of threads and whatever else runs.
///
/// > Note: The scale of the result is that of the camera that the weights were trained with, which for
/// > the weights of this package is a Kinect, some 57° wide. A photo with another angle of view comes out
/// > too near or too far by about the ratio of the focal lengths.
public struct DepthEstimator: Sendable {
  /// The file that the weights came from.
  public let weights: URL
  /// What that file says about its network.
  public let configuration: FCRNConfiguration
  /// Threads that one estimate uses.
  public let threads: Int
  /// Bytes that the network needs for one photo, beside the weights.
  public let networkBytes: Int
  let program: Program
  private let memory: MemoryPool
  private let digest: WeightsDigest

  /// Loads the weights that come with the package, or those that `DEPTH_WEIGHTS` names.
  ///
  /// - Parameter threads: Threads to use, 1…256; as many as there are processors by default.
  /// - Throws: ``WeightsError`` when there are none, or they are damaged; `InvalidArgument` for another
  ///   number of threads; ``Kernels/InstructionSetError`` when `DEPTH_ISA` is not one of this machine's
  ///   instruction sets.
  public init(threads: Int? = nil) throws {
    try self.init(weights: WeightsLocation.url(named: "default"), threads: threads)
  }

  /// Loads the weights in an HDF5 file.
  ///
  /// - Parameters:
  ///   - weights: A file as `Weights/README.md` describes it.
  ///   - threads: Threads to use, 1…256; as many as there are processors by default.
  /// - Throws: ``WeightsError``, naming the tensor or attribute at fault; `InvalidArgument` for another
  ///   number of threads.
  public init(weights: URL, threads: Int? = nil) throws {
    try self.init(weights: weights, threads: threads, loadingThreads: nil)
  }

  /// - Parameters:
  ///   - loadingThreads: Threads that read and transform weights; `threads` by default.
  ///   - products: Who multiplies matrices.
  package init(
    weights: URL, threads: Int?, loadingThreads: Int? = nil, products: Products = .best
  ) throws {
    let threads = try ThreadCount.checked(threads)
    try InstructionSet.checkEnvironment()
    let archive = try HDF5WeightArchive(path: weights.path(percentEncoded: false))
    let network = try FCRN(archive)
    self.weights = weights
    self.threads = threads
    configuration = network.configuration
    program = try network.output.compiled(
      forInput: network.inputShape, products: products, threads: loadingThreads ?? threads)
    memory = MemoryPool()
    digest = WeightsDigest(of: weights, known: archive.sha256)
    networkBytes = Self.networkBytes(of: program, for: network.inputShape, threads: threads)
    try MemoryNeed(bytes: networkBytes).require(for: weights.relativePath)
  }

  /// Rows and columns of the map of a landscape photo; a portrait photo's has them exchanged.
  public var outputSize: (height: Int, width: Int) {
    ((configuration.inputHeight + 31) / 32 * 16, (configuration.inputWidth + 31) / 32 * 16)
  }

  /// Bytes of a run's input, as bytes and as floats, activations and scratch.
  package func networkBytes(for shape: Tensor.Shape) -> Int {
    Self.networkBytes(of: program, for: shape, threads: threads)
  }

  private static func networkBytes(
    of program: Program, for shape: Tensor.Shape, threads: Int
  ) -> Int {
    program.memoryPlan(forInput: shape, threads: threads).bytes + 5 * shape.elementCount
  }

  /// What identifies the weights, 64 hexadecimal digits: the SHA-256 of everything behind the file's first
  /// 512 bytes, which a file of version 2 says itself; of a file of version 1 the SHA-256 of all its bytes,
  /// computed when first asked for.
  ///
  /// - Throws: ``ImageCodingError/unreadable(file:reason:)`` when the file has gone since.
  public func weightsSHA256() throws -> String { try digest.hexadecimal() }

  /// The depth of a photo.
  ///
  /// The whole photo is stretched to the size that the network was trained on, 304 × 228, which is what
  /// the published code does. An upright (portrait) photo is stretched to 228 × 304 instead: the camera
  /// was turned, so the picture's pixels stay as square as the network knows them.
  ///
  /// - Returns: Metres along the optical axis, 128 × 160 for a landscape and 160 × 128 for a portrait
  ///   photo. The map covers the whole photo: stretch it over the photo to compare them.
  /// - Throws: ``EstimationError/noDepth(weights:)`` when the network gives no pixel a depth.
  public func depth(of photo: Image) throws -> DepthMap {
    try depths(of: [photo])[0]
  }

  /// The depths of several photos, faster than one after the other.
  ///
  /// Photos of one orientation go through the network together, so that every weight is read once for
  /// all of them. The results have the same bits as one by one, but for OpenBLAS's products, whose order of
  /// additions is its own affair.
  ///
  /// - Throws: ``ImageCodingError/insufficientMemory(file:needed:available:)`` when there are more photos
  ///   than memory for all of them.
  /// - Throws: ``EstimationError/noDepth(weights:)`` when the network gives no pixel of a photo a depth.
  public func depths(of photos: [Image]) throws -> [DepthMap] {
    if photos.count > 1 {
      let need = MemoryNeed(bytes: photos.count * networkBytes)
      try need.require(for: "\(photos.count) photos at once")
    }
    let inputs = photos.map { networkInput(for: $0) }
    var results = [DepthMap?](repeating: nil, count: photos.count)
    for shape in Set(inputs.map(\.shape)) {
      let indices = inputs.indices.filter { inputs[$0].shape == shape }
      var batch = shape
      batch.count = indices.count
      let maps = depths(
        ofNetworkInput: indices.count == 1
          ? inputs[indices[0]]
          : Tensor(shape: batch, elements: indices.flatMap { inputs[$0].elements }))
      for (index, map) in zip(indices, maps) { results[index] = try checked(map) }
    }
    return results.compactMap { $0 }
  }

  /// A map with a value somewhere.
  ///
  /// - Throws: ``EstimationError/noDepth(weights:)``: an empty map is the fault of its weights.
  package func checked(_ map: DepthMap) throws -> DepthMap {
    guard map.values.contains(where: map.isValid) else {
      throw EstimationError.noDepth(weights: weights.relativePath)
    }
    return map
  }

  /// Stretches a photo and scales its pixels: what the network sees.
  package func networkInput(for photo: Image) -> Tensor {
    let isPortrait = photo.height > photo.width
    let (height, width) =
      isPortrait
      ? (configuration.inputWidth, configuration.inputHeight)
      : (configuration.inputHeight, configuration.inputWidth)
    let stretched = resizedLanczos(photo, height: height, width: width, threads: threads)
    let (scale, mean) = (configuration.pixelScale, configuration.pixelMean)
    return Tensor(
      shape: .init(height: height, width: width, channels: 3),
      elements: scaledChannels(stretched.pixels, scale: scale, mean: mean))
  }

  /// Runs the network.
  ///
  /// - Parameter input: `n × h × w × 3`, as ``networkInput(for:)`` makes them.
  package func depths(
    ofNetworkInput input: Tensor, observe: ((Program.StepReport) -> Void)? = nil
  ) -> [DepthMap] {
    let plan = program.memoryPlan(forInput: input.shape, threads: threads)
    let output = memory.withMemory(for: plan) { memory in
      program.run(input, in: memory, observe: observe).output
    }
    let shape = output.shape
    return (0..<shape.count).map { image in
      DepthMap(
        height: shape.height, width: shape.width, kind: .metres,
        values: Array(output.elements[image * shape.area..<(image + 1) * shape.area]))
    }
  }
}
