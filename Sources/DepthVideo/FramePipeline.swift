import DepthBase
package import DepthImages
package import MonocularDepth
import Synchronization

/// A pipeline from frames to depth without flicker, for films, streams and `depth watch`:
///
/// 1. **Estimate**, frames in any order: the network's map.
/// 2. **Stabilize**, frames in order: relative depth is converted to metres by a scale that changes slowly within a shot,
///    and the temporal filter is applied. Between estimates, depth is propagated along the motion of the picture.
/// 3. **Finish**, frames in any order: refinement, calibration and confidence (``FrameDepth/finished(by:call:)``).
package final class FramePipeline: Sendable {
  /// The state that is kept between frames.
  private struct Memory: Sendable {
    var temporalFilter: TemporalDepthFilter?
    var metres = SteadyMetres()
    var camera: ShotCamera
    var motion: FilmMotion?
    var propagation = DepthPropagation()
    /// The camera of the last estimate; `nil` for relative disparity.
    var lastCamera: PhotoCamera?
    var distrusted: MetricFit?

    /// The estimate with the shot's scale, if the network or a fit determines a scale and a temporal filter is used.
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

  /// Allowed intervals between estimates, in frames.
  package static let intervals = 1...60

  package let estimation: MapEstimation
  private let threads: Int
  private let depthEvery: Int
  private let tell: (@Sendable (_ frame: String, MetricFit) -> Void)?
  private let memory: Mutex<Memory>

  /// - Parameters:
  ///   - threads: Maximum number of threads per frame.
  ///   - findsMotion: Whether cuts and camera motion are detected in the pictures. Otherwise a restart of the temporal filter
  ///     counts as a cut, and the camera as moving.
  ///   - framesPerSecond: The frame rate. An estimated focal length is the median of a shot's first second.
  ///   - depthEvery: Interval of estimates in frames, see ``intervals``. Depth is also estimated after cuts; for all other
  ///     frames, depth is propagated. An interval above 1 requires `findsMotion`.
  ///   - tell: Called for the first frame whose metres are unreliable.
  package init(
    _ estimation: MapEstimation, smoothing: TemporalSmoothing, threads: Int,
    findsMotion: Bool = false, framesPerSecond: Double = 30, depthEvery: Int = 1,
    tell: (@Sendable (_ frame: String, MetricFit) -> Void)? = nil
  ) {
    precondition(Self.intervals.contains(depthEvery) && (depthEvery == 1 || findsMotion))
    (self.estimation, self.threads, self.depthEvery) = (estimation, threads, depthEvery)
    self.tell = tell
    memory = Mutex(
      Memory(
        temporalFilter: smoothing.temporalFilter,
        camera: ShotCamera(estimatesPerSecond: framesPerSecond / Double(depthEvery)),
        motion: findsMotion ? FilmMotion() : nil))
  }

  /// Runs steps 1 and 2, estimate and stabilize.
  ///
  /// - Parameters:
  ///   - image: The decoded frame.
  ///   - name: The frame's name in errors.
  ///   - number: Depth is estimated for multiples of `depthEvery`. In a film, `number` is the frame number, so that a resumed
  ///     run estimates the same frames. In a stream, which may drop frames, `number` counts processed frames.
  ///   - inOrder: Runs step 2 after step 2 of all earlier frames; required if frames are processed concurrently.
  /// - Throws: `DepthError`.
  package func depth(
    of image: Image, named name: String, number: Int = 0,
    inOrder: (_ step: () throws -> FrameDepth) throws -> FrameDepth = { try $0() }
  ) throws -> FrameDepth {
    let estimated = number % depthEvery == 0 ? try estimate(image, name) : nil
    return try inOrder { try stabilized(image, named: name, estimated) }
  }

  /// Step 1, estimate.
  private func estimate(_ image: Image, _ name: String) throws -> DepthEstimate {
    try ThreadShare.run(of: threads) {
      try estimation.networkEstimate(of: image, named: name, call: CallContext(threads: $0))
    }
  }

  /// Step 2, stabilize.
  ///
  /// - Parameter estimated: The frame's estimate. With `nil`, depth is propagated, or estimated after a cut.
  package func stabilized(
    _ image: Image, named name: String, _ estimated: DepthEstimate?
  ) throws -> FrameDepth {
    try memory.withLock { memory in
      let change = memory.motion?.next(image)
      if estimated == nil, let change, !change.isCut,
        let moved = memory.propagation.moved(to: image)
      {
        return FrameDepth(name: name, image: image, depth: moved, errors: nil, change: change)
      }
      let estimate = try estimated ?? self.estimate(image, name)
      memory.lastCamera = estimate.networkMap.unit == .metres ? estimate.camera : nil
      if memory.distrusted == nil, let fit = estimate.metricFit, !fit.isTrusted {
        memory.distrusted = fit
        tell?(name, fit)
      }
      let steady = memory.withShotScale(estimate, photo: image, change, threads: threads)
      let (map, image) = (steady.networkMap, steady.camera.given(to: image))
      let depth = try memory.temporalFilter?.filtered(map, photo: image) ?? map
      if depthEvery > 1 { memory.propagation.keep(depth, photo: image) }
      return FrameDepth(
        name: name, image: image, depth: depth, errors: estimate.expectedError,
        change: change
          ?? .init(isCut: memory.temporalFilter?.hasRestarted ?? false, isStill: false))
    }
  }

  /// The camera of the last estimate in metres.
  package var lastCamera: PhotoCamera? { memory.withLock { $0.lastCamera } }

  /// The fit of the first frame with unreliable metres; `nil` without such a frame.
  package var distrusted: MetricFit? { memory.withLock { $0.distrusted } }
}

extension FramePipeline {
  /// The state between frames, from which another pipeline can continue.
  package struct Saved: Sendable, Codable {
    fileprivate var temporalFilter: TemporalDepthFilter.Saved?
    fileprivate var metres: SteadyMetres?
    fileprivate var camera: ShotCamera?
    fileprivate var motion: FilmMotion?
    fileprivate var propagation: DepthPropagation.Saved?

    package init() {}

    /// Whether all counts match, as in every undamaged file.
    package var isConsistent: Bool {
      (temporalFilter?.isConsistent ?? true) && (motion?.isConsistent ?? true)
        && (propagation?.isConsistent ?? true) && (camera?.isConsistent ?? true)
    }
  }

  /// The state between frames, to be read while no frame is in progress.
  package var saved: Saved {
    memory.withLock { memory in
      var saved = Saved()
      saved.temporalFilter = memory.temporalFilter?.saved
      (saved.metres, saved.camera) = (memory.metres, memory.camera)
      saved.motion = memory.motion
      saved.propagation = memory.propagation.saved
      return saved
    }
  }

  /// Restores a saved state.
  ///
  /// - Precondition: ``Saved/isConsistent``.
  package func restore(_ saved: Saved) {
    memory.withLock { memory in
      memory.temporalFilter?.restore(saved.temporalFilter)
      if let metres = saved.metres { memory.metres = metres }
      if let camera = saved.camera { memory.camera = camera }
      if let motion = saved.motion { memory.motion = motion }
      memory.propagation = DepthPropagation(saved.propagation)
    }
  }
}
