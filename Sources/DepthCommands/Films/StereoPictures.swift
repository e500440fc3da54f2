import DepthBase
import DepthImages
import DepthVideo
import FrameStreams
import MonocularDepth
import StereoPhotos
import Synchronization
import ViewSynthesis

/// Stereo pictures of each frame, with both views in one picture.
final class StereoPictures: FramePictures {
  private let estimation: MapEstimation
  private let options: StereoOptions
  private let format: StereoFormat
  private let call: CallContext
  /// Whether state is kept between frames.
  private let isSteady: Bool
  private let follower: Mutex<SpanFollower>
  private let history = Mutex(HoleHistory())

  /// - Parameters:
  ///   - estimation: The estimation of the maps for the views.
  ///   - options: The renderer must be the warp, without cropped edges.
  ///   - format: A format with both views in one picture.
  ///   - isSteady: Whether parallax follows the film slowly, and holes are filled from earlier frames. Otherwise each
  ///     picture equals the picture that `depth stereo` makes from the frame alone.
  init(
    estimation: MapEstimation, options: StereoOptions, format: StereoFormat, isSteady: Bool,
    framesPerSecond: Double, threads: Int
  ) {
    precondition(format.isOnePicture && options.renderer == .orderedWarp)
    (self.estimation, self.format, self.isSteady) = (estimation, format, isSteady)
    self.options = options
    call = CallContext(threads: threads)
    follower = Mutex(SpanFollower(framesPerSecond: framesPerSecond))
  }

  func output(of frame: FrameDepth, steps: OrderedSteps) throws -> Image {
    var estimation = estimation
    estimation.options.fitForViews(of: frame.image)
    let depth = try frame.finished(by: estimation, call: call)
    guard depth.valueRange(threads: call.threads) != nil else {
      try skip(steps, after: frame.change)
      return StereoPair(flat: frame.image).pictures(for: format, threads: call.threads)[0]
    }
    var held: DepthSpan?
    if isSteady {
      let span = depth.span(for: options, threads: call.threads)
      held = try steps.run(1) { follower.withLock { $0.next(span, isCut: frame.change.isCut) } }
    }
    let views = try frame.image.filmViews(
      depth: depth, options: options, held: held, showsParallax: isSteady,
      limits: estimation.options.limits, call: call)
    var pair = views.pair
    if isSteady {
      pair = try steps.run(2) {
        history.withLock { $0.filled(views, isStill: frame.change.isStill) }
      }
    }
    return pair.pictures(for: format, threads: call.threads)[0]
  }

  /// Resets the state after a cut, even if the frame after the cut has no depth.
  private func skip(_ steps: OrderedSteps, after change: FilmMotion.Change) throws {
    guard isSteady else { return }
    try steps.run(1) { follower.withLock { _ = $0.next(nil, isCut: change.isCut) } }
    try steps.run(2) { history.withLock { $0.skip(isStill: change.isStill) } }
  }

  func skip(_ steps: OrderedSteps) throws {
    guard isSteady else { return }
    for step in 1...2 { try steps.run(step) {} }
  }

  func save(into memory: inout FilmMemory) {
    memory.span = follower.withLock { $0 }
    memory.holes = history.withLock { $0.saved }
  }

  func restore(from memory: FilmMemory) {
    if let span = memory.span { follower.withLock { $0 = span } }
    if let holes = memory.holes { history.withLock { $0 = HoleHistory(holes) } }
  }
}
