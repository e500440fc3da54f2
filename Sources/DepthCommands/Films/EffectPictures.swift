import DepthBase
import DepthEffects
import DepthImages
import DepthVideo
import FrameStreams
import MonocularDepth
import Synchronization

/// Pictures of an effect on each frame.
final class EffectPictures: FramePictures {
  private let estimation: MapEstimation
  private let effect: EffectRequest
  private let call: CallContext
  /// Whether state is kept between frames.
  private let isSteady: Bool
  private let follower: Mutex<SpanFollower>
  private let limit = LensLimit()

  /// - Parameter isSteady: Whether focus and range follow the film slowly. Otherwise each picture equals the
  ///   picture that `depth effect` makes from the frame alone.
  init(
    estimation: MapEstimation, effect: EffectRequest, isSteady: Bool, framesPerSecond: Double,
    threads: Int
  ) {
    var estimation = estimation
    // The network's map is not refined, since effects themselves align the map with the photo's edges.
    estimation.options.refinement = .none
    (self.estimation, self.effect) = (estimation, effect)
    call = CallContext(threads: threads)
    self.isSteady = isSteady
    follower = Mutex(SpanFollower(framesPerSecond: framesPerSecond))
  }

  func output(of frame: FrameDepth, steps: OrderedSteps) throws -> Image {
    let depth = try frame.finished(by: estimation, call: call)
    guard depth.valueRange(threads: call.threads) != nil else {
      if isSteady {
        // A cut resets the state, even if its first frame has no depth.
        try steps.run(1) { follower.withLock { _ = $0.next(nil, isCut: frame.change.isCut) } }
      }
      return effect.withoutDepth(frame.image)
    }
    var held: DepthSpan?
    if isSteady {
      let span = try depth.focusSpan(effect.depthFocus, of: frame.image, threads: call.threads)
      held = try steps.run(1) { follower.withLock { $0.next(span, isCut: frame.change.isCut) } }
    }
    return try effect.applied(
      to: frame.image, depth: depth, held: held, limit: limit, mayBeEmpty: true, call: call)
  }

  func skip(_ steps: OrderedSteps) throws {
    if isSteady { try steps.run(1) {} }
  }

  var note: String? { limit.note }

  func save(into memory: inout FilmMemory) { memory.span = follower.withLock { $0 } }

  func restore(from memory: FilmMemory) {
    if let span = memory.span { follower.withLock { $0 = span } }
  }
}
