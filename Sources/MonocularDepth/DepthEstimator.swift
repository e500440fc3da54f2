import AtomicFiles
import DepthErrors
public import DepthImages
public import DepthNetworks
import NetworkWeights
package import NeuralEngine
import ProcessLimits
import SIMDKernels
import ThreadTeams

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
/// Several weights files are one estimate: every network sees the photo, and the result is the geometric
/// mean of their depths. Each network may see the photo's mirror image as well, whose map, mirrored back,
/// counts like another network's.
///
/// Loads its weights once; may be shared by any number of threads. The same photo gives the same bits,
/// whatever the number of threads, the order of the files and whatever else runs.
///
/// ```swift
/// let estimator = try DepthEstimator()  // the bundled weights
/// let depth = try estimator.depth(of: photo)  // 128 × 160, metres
/// ```
///
/// > Note: Metres depend on the camera. The weights learned them from a Kinect, 63° wide; a photo with
/// > another angle of view is corrected by the ratio of the focal lengths where its Exif block or the caller
/// > tells it (``PhotoCamera``), and comes out too near or too far by that ratio otherwise.
public struct DepthEstimator: Sendable {
  /// The files that the weights came from, in the order in which they were named.
  public let weights: [URL]
  /// Whether each network sees the photo's mirror image as well, which takes twice the time.
  public let averagesMirrored: Bool
  /// The configuration of the first file's network.
  public let configuration: FCRNConfiguration
  /// Threads that one estimate uses.
  public private(set) var threads: Int
  /// Bytes that the networks need for one photo, in addition to the weights.
  public let networkBytes: Int
  private let networks: [LoadedNetwork]
  private let memory = MemoryPool()

  /// Loads the weights that come with the package, or those that `DEPTH_WEIGHTS` names.
  ///
  /// - Parameter threads: Threads to use, 1…256; as many as there are processors by default.
  /// - Throws: `DepthError` when there are no weights, or they are damaged; with code
  ///   `invalidArgument` for another number of threads, and when `DEPTH_ISA` is not one of this
  ///   machine's instruction sets.
  public init(threads: Int? = nil) throws {
    try self.init(WeightsLocation.selection(named: "default"), threads: threads)
  }

  /// Loads the weights in an HDF5 file.
  ///
  /// - Parameters:
  ///   - weights: A file as `Weights/README.md` describes it.
  ///   - averagesMirrored: Whether the network sees the photo's mirror image as well.
  ///   - threads: Threads to use, 1…256; as many as there are processors by default.
  /// - Throws: `DepthError`, naming the tensor or attribute at fault; with code `invalidArgument` for another
  ///   number of threads.
  public init(weights: URL, averagesMirrored: Bool = false, threads: Int? = nil) throws {
    try self.init(weights: [weights], averagesMirrored: averagesMirrored, threads: threads)
  }

  /// Loads the weights of several networks, which make one estimate together.
  ///
  /// - Parameters:
  ///   - weights: 1 to 16 files as `Weights/README.md` describes them. Their networks may differ in size and
  ///     input, but not in the size of their maps.
  ///   - averagesMirrored: Whether each network sees the photo's mirror image as well.
  ///   - threads: Threads to use, 1…256; as many as there are processors by default.
  /// - Throws: `DepthError`, naming the file at fault; with code `invalidArgument` for another number of files or
  ///   threads.
  public init(weights: [URL], averagesMirrored: Bool = false, threads: Int? = nil) throws {
    try self.init(
      WeightsSelection(files: weights, averagesMirrored: averagesMirrored), threads: threads)
  }

  /// Loads what ``WeightsLocation`` found.
  ///
  /// - Parameters:
  ///   - selection: 1 to 16 files.
  ///   - threads: Threads to use, 1…256; as many as there are processors by default.
  /// - Throws: `DepthError`, naming the file at fault; with code `invalidArgument` for another number of files or
  ///   threads.
  public init(_ selection: WeightsSelection, threads: Int? = nil) throws {
    try self.init(selection, threads: threads, loadingThreads: nil)
  }

  /// - Parameters:
  ///   - loadingThreads: Threads that read and transform weights; `threads` by default.
  ///   - backend: The matrix-multiplication back end.
  package init(
    _ selection: WeightsSelection, threads: Int?, loadingThreads: Int? = nil,
    backend: GEMMBackend = .best
  ) throws {
    try selection.files.count.checked(in: 1...16, "the number of weights files", "1 to 16")
    let threads = try ThreadCount.checked(threads)
    try InstructionSet.checkEnvironment()
    networks = try selection.files.map {
      try LoadedNetwork($0, threads: loadingThreads ?? threads, backend: backend)
    }
    weights = selection.files
    averagesMirrored = selection.averagesMirrored
    self.threads = threads
    configuration = networks[0].configuration
    networkBytes = Self.bytes(
      of: networks, threads: threads, imagesPerPhoto: averagesMirrored ? 2 : 1)
    try Self.checkOutputSizes(of: networks)
    try MemoryNeed(bytes: networkBytes)
      .require(for: weights.map(\.relativePath).joined(separator: ", "))
  }

  /// The same networks with another number of threads, which changes no bit of an estimate.
  ///
  /// - Precondition: `threads` is positive.
  package func using(threads: Int) -> DepthEstimator {
    precondition(threads > 0, "\(threads) threads, expected at least 1")
    var estimator = self
    estimator.threads = threads
    return estimator
  }

  /// - Throws: `DepthError` for a file whose network has maps of another size than the first.
  private static func checkOutputSizes(of networks: [LoadedNetwork]) throws {
    let (height, width) = networks[0].outputSize
    for network in networks where network.outputSize != (height, width) {
      let found = network.outputSize
      throw DepthError.unreadable(
        file: network.file.relativePath,
        reason:
          "the network's maps are \(found.width)×\(found.height), expected \(width)×\(height) "
          + "as of \(networks[0].file.relativePath): maps of different sizes make no common estimate"
      )
    }
  }

  /// Workspaces are kept for every network, but shared by those of one plan.
  private static func bytes(
    of networks: [LoadedNetwork], threads: Int, imagesPerPhoto: Int
  ) -> Int {
    let plans = Set(
      networks.map {
        $0.program.memoryPlan(forInput: $0.inputShape(count: imagesPerPhoto), threads: threads)
      })
    // Inputs as bytes and floats; maps as floats and logarithms.
    let inputs = networks.map { 5 * $0.inputShape(count: imagesPerPhoto).elementCount }
    let maps = networks.map { 12 * imagesPerPhoto * $0.outputSize.height * $0.outputSize.width }
    return plans.reduce(0) { $0 + $1.bytes } + inputs.reduce(0, +) + maps.reduce(0, +)
  }

  /// Rows and columns of the map of a landscape photo; a portrait photo's has them exchanged.
  public var outputSize: (height: Int, width: Int) { networks[0].outputSize }

  /// What identifies the weights. Of one file 64 hexadecimal digits: the SHA-256 of everything behind the
  /// file's first 512 bytes, which a file of version 2 says itself; of a file of version 1 the SHA-256 of
  /// all its bytes, computed when first asked for. Of several files theirs in ascending order, joined by
  /// `+`. `+mirrored` is appended where the photo's mirror image takes part.
  ///
  /// - Throws: `DepthError` with code `unreadable` when a file has gone since.
  public func weightsSHA256() throws -> String {
    let digests = try networks.map { try $0.digest.hexadecimal() }.sorted()
    return (digests + (averagesMirrored ? ["mirrored"] : [])).joined(separator: "+")
  }

  /// The depth of a photo.
  ///
  /// The whole photo is stretched to the size that the network was trained on, 304 × 228, which is what
  /// the published code does. An upright (portrait) photo is stretched to 228 × 304 instead: the camera
  /// was turned, so the picture's pixels stay as square as the network knows them.
  ///
  /// - Returns: Metres along the optical axis, 128 × 160 for a landscape and 160 × 128 for a portrait
  ///   photo. The map covers the whole photo: stretch it over the photo to compare them.
  /// - Parameters:
  ///   - photo: An upright photo.
  ///   - camera: Its camera, whose focal length scales the result. `nil` takes what the photo's Exif block says, or
  ///     else the training camera; pass ``DepthImages/Camera/training(width:height:)`` for no correction.
  /// - Throws: `DepthError` with code `noDepth` when no network gives any pixel a depth.
  public func depth(of photo: Image, camera: Camera? = nil) throws -> DepthMap {
    try estimate(of: photo, camera: camera).depth
  }

  /// The depth of a photo, as ``depth(of:camera:)``, and how far off it may be.
  ///
  /// - Throws: `DepthError` with code `noDepth` when no network gives any pixel a depth.
  public func estimate(of photo: Image, camera: Camera? = nil) throws -> DepthEstimate {
    try estimate(of: prepared(photo, camera: camera))
  }

  /// The depths of several photos, faster than one after the other.
  ///
  /// Photos of one orientation go through a network together, so that every weight is read once for
  /// all of them. Results are bit-identical to calling `depth(of:)` for each photo, except with OpenBLAS,
  /// whose summation order may depend on the batch size.
  ///
  /// - Throws: `DepthError` with code `insufficientMemory` when there are more photos
  ///   than memory for all of them.
  /// - Throws: `DepthError` with code `noDepth` when no network gives any pixel of a photo a depth.
  public func depths(of photos: [Image]) throws -> [DepthMap] {
    if photos.count > 1 {
      let need = MemoryNeed(bytes: photos.count * networkBytes)
      try need.require(for: "\(photos.count) photos at once")
    }
    return try estimates(of: photos.map { prepared($0) }).map(\.depth)
  }

  /// Stretches a photo to the networks' input sizes and scales its pixels.
  package func prepared(_ photo: Image, camera: Camera? = nil) -> PreparedPhoto {
    let isPortrait = photo.height > photo.width
    var stretched: [Image] = []
    return PreparedPhoto(
      inputs: networks.map { network in
        let size = network.inputSize
        let (height, width) = isPortrait ? (size.width, size.height) : (size.height, size.width)
        let image =
          stretched.first { $0.height == height && $0.width == width }
          ?? resizedLanczos(photo, height: height, width: width, threads: threads)
        stretched.append(image)
        return network.input(for: image, addsMirrored: averagesMirrored)
      }, camera: PhotoCamera(of: photo, camera: camera))
  }

  /// Runs the networks and joins their maps.
  ///
  /// - Throws: `DepthError` with code `noDepth` when no network gives any pixel a depth.
  package func estimate(of photo: PreparedPhoto) throws -> DepthEstimate {
    try estimates(of: [photo])[0]
  }

  private func estimates(of photos: [PreparedPhoto]) throws -> [DepthEstimate] {
    var maps = [[DepthMap]](repeating: [], count: photos.count)
    for (index, network) in networks.enumerated() {
      let inputs = photos.map { $0.inputs[index] }
      for shape in Set(inputs.map(\.shape)) {
        let indices = inputs.indices.filter { inputs[$0].shape == shape }
        var batch = shape
        batch.count = shape.count * indices.count
        let results = network.depths(
          of: indices.count == 1
            ? inputs[indices[0]]
            : Tensor(shape: batch, elements: indices.flatMap { inputs[$0].elements }),
          threads: threads, memory: memory)
        for (place, photo) in indices.enumerated() {
          maps[photo].append(results[shape.count * place])
          if averagesMirrored { maps[photo].append(results[shape.count * place + 1].mirrored) }
        }
      }
    }
    return try zip(maps, photos).map { maps, photo in
      let estimate = DepthEstimate(maps, camera: photo.camera)
      // Only broken weights give an empty map.
      guard estimate.depth.values.contains(where: estimate.depth.hasValue) else {
        throw DepthError.noDepth(
          weights: weights.map(\.relativePath).joined(separator: ", "))
      }
      return estimate
    }
  }
}
