import DepthImages
import DepthVideo
import FrameStreams
import ViewSynthesis

/// Makes a picture of each frame of a film.
protocol FramePictures: FrameMaker where Output == Image {
  /// Saves what is kept from frame to frame.
  func save(into memory: inout FilmMemory)
  func restore(from memory: FilmMemory)
}

/// The pictures of one film: the steps of its frames, and what they keep from frame to frame.
struct FilmPictures: Sendable {
  let frames: FramePipeline
  let pictures: any FramePictures

  /// The picture of a frame, as ``FramePipeline/output(of:number:order:by:)``.
  func picture(of frame: EncodedFrame, number: Int, order: FrameOrder) throws -> Image? {
    try frames.output(of: frame, number: number, order: order, by: pictures)
  }

  /// What is kept from frame to frame, to go on from later; no frame is in progress.
  var memory: FilmMemory {
    get {
      var memory = FilmMemory()
      frames.save(into: &memory)
      pictures.save(into: &memory)
      return memory
    }
    nonmutating set {
      frames.restore(from: newValue)
      pictures.restore(from: newValue)
    }
  }
}

/// All that the pictures of a film have of earlier frames.
struct FilmMemory: Sendable, Codable {
  var temporalFilter: TemporalDepthFilter.Saved?
  var motion: FilmMotion?
  var propagation: DepthPropagation.Saved?
  /// What parallax or focus follow.
  var span: SpanFollower?
  var holes: HoleHistory.Saved?
  var range: PictureRange?

  /// Whether all counts match; a damaged file may have counts that do not.
  var isConsistent: Bool {
    (temporalFilter?.isConsistent ?? true) && (motion?.isConsistent ?? true)
      && (propagation?.isConsistent ?? true) && (holes?.isConsistent ?? true)
  }
}
