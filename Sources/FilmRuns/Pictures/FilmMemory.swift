package import DepthImages
package import DepthVideo
package import ViewSynthesis

/// All that the pictures of a film have of earlier frames.
package struct FilmMemory: Sendable, Codable {
  package var temporalFilter: TemporalDepthFilter.Saved?
  package var motion: FilmMotion?
  package var propagation: DepthPropagation.Saved?
  /// What parallax or focus follow.
  package var span: SpanFollower?
  package var holes: HoleHistory.Saved?
  package var range: PictureRange?

  package init() {}
}
