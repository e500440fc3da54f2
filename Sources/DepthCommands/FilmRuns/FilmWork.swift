import DepthImages
import DepthPipeline
import DepthRequests
import DepthVideo
import FrameStreams
import Synchronization

/// What happens to each frame of a film: its depth, without flicker, and the picture that is made of both.
final class FilmWork: Sendable {
  private struct Joining: Sendable {
    var temporalFilter: TemporalDepthFilter?
    var motion = FilmMotion()
    var propagation = DepthPropagation()
    var oddity: String?
  }

  private let pipeline: DepthPipeline
  private let pictures: any FramePictures
  private let threads: Int
  /// Depth is estimated for every nth frame.
  private let depthEvery: Int
  private let joining: Mutex<Joining>

  /// - Parameters:
  ///   - pictures: What the pictures show.
  ///   - threads: Threads for one frame.
  ///   - depthEvery: Depth is estimated for every nth frame and after cuts, and moved between; at least 1.
  init(
    pipeline: DepthPipeline, pictures: any FramePictures, steadiness: Steadiness, threads: Int,
    depthEvery: Int = 1
  ) {
    precondition(depthEvery >= 1)
    (self.pipeline, self.pictures) = (pipeline, pictures)
    (self.threads, self.depthEvery) = (threads, depthEvery)
    joining = Mutex(Joining(temporalFilter: steadiness.temporalFilter))
  }

  /// What is unusual about the camera; `nil` before the first frame, and for usual ones.
  var oddity: String? { joining.withLock { $0.oddity } }

  /// The picture of a frame; `nil` for one that is damaged and can be stepped over.
  ///
  /// - Parameter number: Depth is estimated for multiples of `depthEvery`. In a film it is the frame's own number, so that a
  ///   resumed run estimates the same frames; in a stream, which may drop frames, that among the frames taken.
  /// - Throws: `DepthError`.
  func picture(of frame: EncodedFrame, number: Int, turn: FrameTurn) throws -> Image? {
    guard let image = try frame.imageUnlessDamaged() else {
      try turn.inOrder(0) {}
      try pictures.skip(turn)
      return nil
    }
    let isKey = number % depthEvery == 0
    let estimate = isKey ? try pipeline.frameDepth(of: image, frame, threads: threads) : nil
    let (joined, change) = try turn.inOrder(0) {
      try joining.withLock { try join(&$0, image, frame, estimate) }
    }
    return try pictures.picture(joined, change: change, turn: turn)
  }

  /// What follows from the frames before.
  private func join(
    _ joining: inout Joining, _ image: Image, _ frame: EncodedFrame, _ estimate: FrameDepth?
  ) throws -> (FrameDepth, FilmMotion.Change) {
    let change = joining.motion.next(image)
    if estimate == nil, !change.isCut, let moved = joining.propagation.moved(to: image) {
      return (
        FrameDepth(name: frame.name, arrival: frame.arrival, image: image, depth: moved), change
      )
    }
    var result = try estimate ?? pipeline.frameDepth(of: image, frame, threads: threads)
    joining.oddity = result.oddity
    if let filtered = try joining.temporalFilter?.filtered(result.depth, photo: image) {
      result.depth = filtered
    }
    if depthEvery > 1 { joining.propagation.keep(result.depth, photo: image) }
    return (result, change)
  }
}

extension FilmWork {
  /// What is known of the frames so far, to go on from later; no frame is in progress.
  var memory: FilmMemory {
    get {
      var memory = FilmMemory()
      joining.withLock { joining in
        memory.temporalFilter = joining.temporalFilter?.saved
        memory.motion = joining.motion
        memory.propagation = joining.propagation.saved
      }
      pictures.save(into: &memory)
      return memory
    }
    set {
      joining.withLock { joining in
        joining.temporalFilter?.restore(newValue.temporalFilter)
        if let motion = newValue.motion { joining.motion = motion }
        joining.propagation = DepthPropagation(newValue.propagation)
      }
      pictures.restore(from: newValue)
    }
  }
}
