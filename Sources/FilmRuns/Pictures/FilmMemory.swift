import DepthImages
import DepthVideo
import ViewSynthesis

/// All that the pictures of a film have of earlier frames.
struct FilmMemory: Sendable, Codable {
  var temporalFilter: TemporalDepthFilter.Saved?
  var motion: FilmMotion?
  var propagation: DepthPropagation.Saved?
  /// What parallax or focus follow.
  var span: SpanFollower?
  var holes: HoleHistory.Saved?
  var range: PictureRange?

  init() {}

  /// Whether all counts belong together, which those of a damaged file need not.
  var isWhole: Bool {
    (temporalFilter?.isWhole ?? true) && (motion?.isWhole ?? true)
      && (propagation?.isWhole ?? true) && (holes?.isWhole ?? true)
  }
}
