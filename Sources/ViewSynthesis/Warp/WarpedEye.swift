/// One eye's share of the parallax.
struct WarpedEye: Sendable {
  var share: Int
  /// Whether the view is rendered from the mirrored photo and mirrored back.
  var mirrored: Bool
}
