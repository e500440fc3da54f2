import DepthBase
import DepthErrors
package import DepthImages
import NeuralEngine

extension DepthEstimator {
  /// Throws if the environment requests an instruction set that this processor lacks.
  ///
  /// - Throws: `DepthError` with code `invalidArgument`.
  package static func checkEnvironment() throws { try InstructionSet.checkEnvironment() }
}

/// The steps from photos to estimates, on the threads of one call.
extension DepthEstimator {
  /// The finished estimate, after a memory check.
  func reservedEstimate(
    of photo: Image, options: DepthOptions, call: CallContext
  ) throws -> DepthEstimate {
    try requireMemory(for: photo, options: options)
    return try estimate(of: photo, options: options, named: nil, call: call)
  }

  /// The networks' inputs for a photo whose memory the caller has checked.
  ///
  /// - Throws: `DepthError` above the limits; `CancellationError`.
  func input(_ photo: Image, options: DepthOptions, call: CallContext) throws -> PreparedPhoto {
    try check(photo, limits: options.limits)
    if let least = options.minConfidence {
      try least.checked(in: DepthOptions.confidences, "the least confidence", "0 to 1")
      try requireErrors()
    }
    try call.checkpoint(0)
    let camera = try PhotoCamera(of: photo, options.camera, training: training)
    return prepared(
      photo, camera: camera,
      mapSize: mapSize(height: photo.height, width: photo.width, options: options),
      threads: call.threads)
  }

  /// - Throws: `DepthError` above the limits.
  private func check(_ photo: Image, limits: ImageLimits) throws {
    try limits.check(width: photo.width, height: photo.height, file: "the photo")
    try checkProportions(height: photo.height, width: photo.width)
  }

  /// - Throws: `DepthError` with code `insufficientMemory`.
  private func requireMemory(for photo: Image, options: DepthOptions) throws {
    let (height, width) = (photo.height, photo.width)
    try check(photo, limits: options.limits)
    var bytes = networkBytes(height: height, width: width)
    if !options.changesNothing {
      let map = mapSize(height: height, width: width, options: options)
      let size = try options.size(photo: (height, width), map: map, named: "the map")
      let need = MemoryNeed(
        .map, pixels: max(height * width, size.height * size.width),
        mapPixels: map.height * map.width)
      bytes +=
        need.bytes
        + options.refinement.windowBytes(height: size.height, width: size.width, threads: threads)
    }
    // Loading checked the memory for one 4:3 photo, and that memory is kept.
    if options.limits.maximumBytes == nil { bytes -= networkBytes }
    guard bytes > 0 else { return }
    try options.limits.check(MemoryNeed(bytes: bytes), for: "the estimate")
  }

  /// Resizes a photo to the networks' input sizes and scales its pixels.
  package func prepared(
    _ photo: Image, camera: PhotoCamera? = nil, mapSize: (height: Int, width: Int)? = nil,
    threads: Int? = nil
  ) -> PreparedPhoto {
    let threads = threads ?? self.threads
    var stretched: [Image] = []
    return PreparedPhoto(
      inputs: networks.map { network in
        network.input(for: photo, addsMirrored: averagesMirrored, threads: threads) {
          height, width in
          let image =
            stretched.first { $0.height == height && $0.width == width }
            ?? resizedLanczos(photo, height: height, width: width, threads: threads)
          stretched.append(image)
          return image
        }
      }, camera: camera ?? PhotoCamera(of: photo, training: training),
      size: (photo.height, photo.width),
      mapSize: mapSize ?? outputSize(height: photo.height, width: photo.width))
  }

  /// The networks' estimate of a photo.
  ///
  /// - Parameter call: Can be cancelled between the networks' layers.
  func networkEstimate(of photo: PreparedPhoto, call: CallContext) throws -> DepthEstimate {
    if givesPoints { return try pointEstimate(of: photo, call: call) }
    var maps: [NetworkMap] = []
    for (index, network) in networks.enumerated() {
      let run = call.step(index, of: networks.count)
      let results = try network.maps(
        of: photo.inputs[index], threads: call.threads, memory: memory,
        beforeLayer: run.checkpoint)
      maps.append(results[0])
      if averagesMirrored { maps.append(results[1].mirrored) }
    }
    try call.checkpoint(1)
    let estimate = DepthEstimate(
      maps, mapsPerNetwork: averagesMirrored ? 2 : 1, camera: photo.camera,
      otherCameraFactor: networks.map(\.otherCameraFactor).max() ?? 1, threads: call.threads)
    // Only faulty weights result in an empty map.
    guard estimate.networkMap.values.contains(where: estimate.networkMap.hasValue) else {
      throw DepthError.noDepth(weights: Self.names(of: networks))
    }
    return estimate
  }
}

/// A pool of workspaces for reuse between runs, since a new workspace costs thousands of page faults.
///
/// A workspace serves any plan that fits. Plans differ by the photo's orientation and the number of threads,
/// but the pool does not grow with the number of plans.
final class MemoryPool: Sendable {
  /// Maximum number of idle workspaces; the workspaces of estimates in progress do not count.
  private static let largestCount = max(2, availableProcessors)
  /// Idle workspaces.
  let idle = Monitor<[Workspace]>([])

  func withMemory<Result>(
    for plan: MemoryPlan, _ run: (Program.Memory) throws -> Result
  ) rethrows -> Result {
    let fitting = idle.update { idle in
      idle.indices.filter { idle[$0].capacity >= plan.capacity }.min {
        idle[$0].capacity < idle[$1].capacity
      }
      .map { idle.remove(at: $0) }
    }
    let workspace = fitting ?? Workspace(capacity: plan.capacity)
    defer {
      idle.update { idle in
        idle.append(workspace)
        // Evicts the smallest workspace, which fits the fewest plans.
        if idle.count > Self.largestCount,
          let smallest = idle.indices.min(by: { idle[$0].capacity < idle[$1].capacity })
        {
          idle.remove(at: smallest)
        }
      }
    }
    return try run(Program.Memory(plan, in: workspace))
  }
}
