import DepthBase
import DepthErrors
import DepthImages
import DepthVideo
import FrameStreams
import MonocularDepth
import Synchronization

/// Frames → depth without flicker, for films, streams and `depth watch`:
///
/// 1. **Estimate**, frames in any order: the network's map.
/// 2. **Stabilize**, frames in order: metres of relative depth by a scale that moves slowly within a shot; the temporal filter; between estimates, depth is propagated along the motion of the picture.
/// 3. **Finish**, frames in any order: refinement, calibration and confidence, then the output.
final class FramePipeline: Sendable {
  /// State from frame to frame.
  private struct Memory: Sendable {
    var temporalFilter: TemporalDepthFilter?
    var metres = SteadyMetres()
    var camera: ShotCamera
    var motion: FilmMotion?
    var propagation = DepthPropagation()
    /// Note on an unusual camera of the last estimate.
    var unusualCamera: String?
    /// Note on the first frame whose metres are not to be trusted.
    var distrust: String?

    /// The estimate by the scale of its shot, where the network or a fit decides about one, and with a temporal filter.
    mutating func withShotScale(
      _ estimate: DepthEstimate, photo: Image, _ change: FilmMotion.Change?, threads: Int
    ) -> DepthEstimate {
      let own = estimate.ownScale
      guard let temporalFilter, estimate.comparison != nil || own != nil else { return estimate }
      let map = estimate.networkMap
      let isCut =
        change?.isCut ?? temporalFilter.isCut(at: photo, height: map.height, width: map.width)
      guard let own else {
        return estimate.comparison.map {
          estimate.with(networkMap: metres.next($0, isCut: isCut))
        } ?? estimate
      }
      let shot = camera.next(focalLength: own.focalLength, lnScale: own.lnScale, isCut: isCut)
      return estimate.rescaled(
        focalLength: shot.focalLength, lnScale: shot.lnScale, threads: threads)
    }
  }

  let estimation: MapEstimation
  private let threads: Int
  private let depthEvery: Int
  /// Whether a note on metres that are not to be trusted goes to standard error at once.
  private let tellsNotes: Bool
  private let memory: Mutex<Memory>

  /// - Parameters:
  ///   - threads: Most threads per frame.
  ///   - findsMotion: Whether cuts and camera motion are detected in the pictures. Otherwise a restart of the temporal filter is a
  ///     cut, and the camera always counts as moving.
  ///   - tellsNotes: Whether a note on metres that are not to be trusted goes to standard error at once.
  ///   - framesPerSecond: The frame rate: an estimated focal length is the median of a shot's first second.
  ///   - depthEvery: Depth is estimated for every nth frame and after cuts, and propagated between; at least 1. More than 1 requires
  ///     `findsMotion`.
  init(
    _ estimation: MapEstimation, smoothing: TemporalSmoothing, threads: Int,
    findsMotion: Bool = false, framesPerSecond: Double = 30,
    depthEvery: Int = 1, tellsNotes: Bool = false
  ) {
    precondition(depthEvery == 1 || depthEvery > 1 && findsMotion)
    (self.estimation, self.threads, self.depthEvery) = (estimation, threads, depthEvery)
    self.tellsNotes = tellsNotes
    memory = Mutex(
      Memory(
        temporalFilter: smoothing.temporalFilter,
        camera: ShotCamera(estimatesPerSecond: framesPerSecond / Double(depthEvery)),
        motion: findsMotion ? FilmMotion() : nil))
  }

  /// All steps of a frame; `nil` for a damaged frame that can be skipped.
  ///
  /// - Parameter number: Depth is estimated for multiples of `depthEvery`. In a film it is the frame's own number, so that a
  ///   resumed run estimates the same frames; in a stream, which may drop frames, that among the frames taken.
  /// - Throws: `DepthError`.
  func output<Maker: FrameMaker>(
    of frame: EncodedFrame, number: Int, steps: OrderedSteps, by maker: Maker
  ) throws -> Maker.Output? {
    guard let image = try frame.imageUnlessDamaged() else {
      try steps.run(0) {}
      try maker.skip(steps)
      return nil
    }
    let steady = try depth(of: image, named: frame.name, number: number, steps: steps)
    return try maker.output(of: steady, steps: steps)
  }

  /// Steps 1 and 2, estimate and stabilize.
  ///
  /// - Parameters:
  ///   - image: The decoded frame.
  ///   - name: What errors call it.
  ///   - steps: The frame's ordered steps; `nil` if frames are processed one at a time.
  /// - Throws: `DepthError`.
  func depth(
    of image: Image, named name: String, number: Int = 0, steps: OrderedSteps? = nil
  ) throws -> FrameDepth {
    let estimated = number % depthEvery == 0 ? try estimate(image, name) : nil
    guard let steps else { return try stabilized(image, name, estimated) }
    return try steps.run(0) { try stabilized(image, name, estimated) }
  }

  /// Step 1, estimate.
  private func estimate(_ image: Image, _ name: String) throws -> DepthEstimate {
    try ThreadShare.run(of: threads) {
      try estimation.networkEstimate(of: image, named: name, call: CallContext(threads: $0))
    }
  }

  /// Step 2, stabilize. The first frame after a cut is estimated if it has no estimate.
  private func stabilized(
    _ image: Image, _ name: String, _ estimated: DepthEstimate?
  ) throws -> FrameDepth {
    try memory.withLock { memory in
      let change = memory.motion?.next(image)
      if estimated == nil, let change, !change.isCut,
        let moved = memory.propagation.moved(to: image)
      {
        return FrameDepth(name, image, depth: moved, errors: nil, change: change)
      }
      let estimate = try estimated ?? self.estimate(image, name)
      memory.unusualCamera = estimation.unusualCamera(of: estimate)
      if memory.distrust == nil, let distrust = estimate.metricFit?.distrust {
        memory.distrust = distrust
        if tellsNotes { Console.note("\(name): \(distrust)") }
      }
      let steady = memory.withShotScale(estimate, photo: image, change, threads: threads)
      let (map, image) = (steady.networkMap, steady.camera.given(to: image))
      let depth = try memory.temporalFilter?.filtered(map, photo: image) ?? map
      if depthEvery > 1 { memory.propagation.keep(depth, photo: image) }
      return FrameDepth(
        name, image, depth: depth, errors: estimate.expectedError,
        change: change
          ?? .init(isCut: memory.temporalFilter?.hasRestarted ?? false, isStill: false))
    }
  }

  /// Notes on an unusual camera and on metres that are not to be trusted; empty before the first frame.
  var notes: [String] {
    memory.withLock { [$0.unusualCamera, $0.distrust].compactMap(\.self) }
  }

  /// Saves the state from frame to frame; no frame may be in progress.
  func save(into saved: inout FilmMemory) {
    memory.withLock { memory in
      saved.temporalFilter = memory.temporalFilter?.saved
      (saved.metres, saved.camera) = (memory.metres, memory.camera)
      saved.motion = memory.motion
      saved.propagation = memory.propagation.saved
    }
  }

  func restore(from saved: FilmMemory) {
    memory.withLock { memory in
      memory.temporalFilter?.restore(saved.temporalFilter)
      if let metres = saved.metres { memory.metres = metres }
      if let camera = saved.camera { memory.camera = camera }
      if let motion = saved.motion { memory.motion = motion }
      memory.propagation = DepthPropagation(saved.propagation)
    }
  }
}

/// A frame and its temporally filtered depth map, before step 3.
struct FrameDepth: Sendable {
  /// Name of the frame in errors.
  let name: String
  let image: Image
  /// The network's map before refinement and calibration, in the unit of its weights: metres or relative disparity.
  let depth: DepthMap
  /// The expected errors of the map; `nil` if the weights do not predict them.
  let errors: ErrorMap?
  /// Change since the frame before.
  let change: FilmMotion.Change

  fileprivate init(
    _ name: String, _ image: Image, depth: DepthMap, errors: ErrorMap?, change: FilmMotion.Change
  ) {
    (self.name, self.image) = (name, image)
    (self.depth, self.errors, self.change) = (depth, errors, change)
  }

  /// The map with calibration alone.
  func calibrated(by estimation: MapEstimation) throws -> DepthMap {
    try estimation.options.calibrated(depth, camera: nil, named: name, mayBeEmpty: true)
  }

  /// The finished map.
  func finished(by estimation: MapEstimation, call: CallContext) throws -> DepthMap {
    try estimation.estimator.finished(
      depth, errors: errors, guidedBy: image, camera: nil, options: estimation.options, named: name,
      mayBeEmpty: true, call: call)
  }
}

/// Step 3 of a ``FramePipeline``: makes the output of each frame.
///
/// Called for several frames concurrently; work that depends on earlier frames runs in the ordered steps 1 and 2.
protocol FrameMaker: Sendable {
  associatedtype Output: Sendable

  /// - Throws: `DepthError`.
  func output(of frame: FrameDepth, steps: OrderedSteps) throws -> Output

  /// Runs the ordered steps of a damaged frame, which do nothing.
  func skip(_ steps: OrderedSteps) throws
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
