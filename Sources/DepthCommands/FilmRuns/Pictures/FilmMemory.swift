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

  /// Whether all counts match; a damaged file may have counts that do not.
  var isConsistent: Bool {
    (temporalFilter?.isConsistent ?? true) && (motion?.isConsistent ?? true)
      && (propagation?.isConsistent ?? true) && (holes?.isConsistent ?? true)
  }
}
