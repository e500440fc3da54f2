import DepthBase
import DepthErrors
import DepthImages
import DepthPipeline
import DepthRequests
import DepthVideo
import FrameStreams
import MonocularDepth
import Synchronization

/// Frames → depth without flicker, for films, streams and `depth watch`:
///
/// 1. **Estimate**, frames in any order: the network's own map.
/// 2. **Steady**, frames in their order: the temporal filter; between estimates, depth moves with the picture.
/// 3. **Finish**, in any order: refinement, calibration and confidence, then what is made of the frame.
final class FramePipeline: Sendable {
  /// What is kept from frame to frame.
  private struct Memory: Sendable {
    var temporalFilter: TemporalDepthFilter?
    var motion: FilmMotion?
    var propagation = DepthPropagation()
    /// What is unusual about the camera of the last estimate.
    var unusualCamera: String?
  }

  let pipeline: DepthPipeline
  private let threads: Int
  private let depthEvery: Int
  private let memory: Mutex<Memory>

  /// - Parameters:
  ///   - threads: Threads for one frame, while no others are free.
  ///   - findsMotion: Whether cuts and a still camera are found in the pictures; otherwise a cut is where the temporal filter
  ///     restarts, and no camera counts as still.
  ///   - depthEvery: Depth is estimated for every nth frame and after cuts, and moved between; at least 1, and 1 without motion.
  init(
    _ pipeline: DepthPipeline, steadiness: Steadiness, threads: Int, findsMotion: Bool = false,
    depthEvery: Int = 1
  ) {
    precondition(depthEvery == 1 || depthEvery > 1 && findsMotion)
    (self.pipeline, self.threads, self.depthEvery) = (pipeline, threads, depthEvery)
    memory = Mutex(
      Memory(
        temporalFilter: steadiness.temporalFilter, motion: findsMotion ? FilmMotion() : nil))
  }

  /// All steps of a frame; `nil` for one that is damaged and can be stepped over.
  ///
  /// - Parameter number: Depth is estimated for multiples of `depthEvery`. In a film it is the frame's own number, so that a
  ///   resumed run estimates the same frames; in a stream, which may drop frames, that among the frames taken.
  /// - Throws: `DepthError`.
  func output<Maker: FrameMaker>(
    of frame: EncodedFrame, number: Int, order: FrameOrder, by maker: Maker
  ) throws -> Maker.Output? {
    guard let image = try frame.imageUnlessDamaged() else {
      try order.inOrder(0) {}
      try maker.skip(order)
      return nil
    }
    let steady = try depth(of: image, named: frame.name, number: number, order: order)
    return try maker.output(of: steady, order: order)
  }

  /// Steps 1 and 2.
  ///
  /// - Parameters:
  ///   - image: The decoded frame.
  ///   - name: What errors call it.
  ///   - order: The frame's place among those in progress; `nil` where they come one by one.
  /// - Throws: `DepthError`.
  func depth(
    of image: Image, named name: String, number: Int = 0, order: FrameOrder? = nil
  ) throws -> FrameDepth {
    let estimated = number % depthEvery == 0 ? try estimate(image, name) : nil
    guard let order else { return try steadied(image, name, estimated) }
    return try order.inOrder(0) { try steadied(image, name, estimated) }
  }

  /// Step 1.
  private func estimate(_ image: Image, _ name: String) throws -> DepthEstimate {
    try ThreadShare.run(of: threads) {
      try pipeline.estimate(of: image, named: name, call: CallContext(threads: $0))
    }
  }

  /// Step 2; estimates a frame that has no estimate and follows a cut.
  private func steadied(
    _ image: Image, _ name: String, _ estimated: DepthEstimate?
  ) throws -> FrameDepth {
    try memory.withLock { memory in
      var change = memory.motion?.next(image)
      if estimated == nil, change?.isCut == false, let moved = memory.propagation.moved(to: image) {
        return FrameDepth(name, image, depth: moved, change: change)
      }
      let estimate = try estimated ?? self.estimate(image, name)
      memory.unusualCamera = pipeline.unusualCamera(of: estimate)
      let filtered = try memory.temporalFilter?.filtered(estimate.depth, photo: image)
      let depth = filtered ?? estimate.depth
      if depthEvery > 1 { memory.propagation.keep(depth, photo: image) }
      change =
        change ?? .init(isCut: memory.temporalFilter?.hasRestarted ?? false, isStill: false)
      return FrameDepth(
        name, image, depth: depth, errors: estimate.expectedError, change: change)
    }
  }

  /// What is unusual about the camera; `nil` before the first frame, and for usual ones.
  var unusualCamera: String? { memory.withLock { $0.unusualCamera } }

  /// Saves what is kept from frame to frame, while no frame is in progress.
  func save(into saved: inout FilmMemory) {
    memory.withLock { memory in
      saved.temporalFilter = memory.temporalFilter?.saved
      saved.motion = memory.motion
      saved.propagation = memory.propagation.saved
    }
  }

  func restore(from saved: FilmMemory) {
    memory.withLock { memory in
      memory.temporalFilter?.restore(saved.temporalFilter)
      if let motion = saved.motion { memory.motion = motion }
      memory.propagation = DepthPropagation(saved.propagation)
    }
  }
}

/// A frame with its steadied map, on the way to the last step.
struct FrameDepth: Sendable {
  /// What errors call the frame.
  let name: String
  let image: Image
  /// The network's map before refinement and calibration, in the unit of its weights: metres or relative disparity.
  let depth: DepthMap
  /// The expected errors of the map; `nil` if the weights do not predict them.
  let errors: ErrorMap?
  /// What happened since the frame before.
  let change: FilmMotion.Change

  fileprivate init(
    _ name: String, _ image: Image, depth: DepthMap, errors: ErrorMap? = nil,
    change: FilmMotion.Change?
  ) {
    (self.name, self.image) = (name, image)
    (self.depth, self.errors) = (depth, errors)
    self.change = change ?? .init(isCut: false, isStill: false)
  }

  /// The map with calibration alone.
  func calibrated(by pipeline: DepthPipeline) throws -> DepthMap {
    try pipeline.calibrated(depth, camera: nil, named: name, mayBeEmpty: true)
  }

  /// The finished map.
  func finished(by pipeline: DepthPipeline, call: CallContext) throws -> DepthMap {
    try pipeline.finished(
      depth, errors: errors, guidedBy: image, camera: nil, named: name, mayBeEmpty: true,
      call: call)
  }
}

/// Step 3 of a ``FramePipeline``: makes something of each frame.
///
/// Called for several frames at once; what depends on the frames before goes through the frame's order, by the steps 1 and 2.
protocol FrameMaker: Sendable {
  associatedtype Output: Sendable

  /// - Throws: `DepthError`.
  func output(of frame: FrameDepth, order: FrameOrder) throws -> Output

  /// Takes the steps of a frame that is damaged.
  func skip(_ order: FrameOrder) throws
}

extension EncodedFrame {
  /// The decoded frame; `nil` for one that is damaged while those behind it may be whole.
  func imageUnlessDamaged() throws -> Image? {
    do { return try image() } catch let error as DepthError
      where mayBeSkipped && error.code == .damaged
    {
      return nil
    }
  }
}
