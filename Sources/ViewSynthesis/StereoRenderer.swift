/// The algorithm that moves pixels: the warp, or for comparisons an algorithm of J. Zimandl.
package enum StereoRenderer: String, Sendable, Hashable, CaseIterable {
  /// The default: an ordered forward warp with sub-pixel positions and filled holes.
  case orderedWarp = "ordered-warp"
  /// J. Zimandl's search: for every pixel of a view, the photo's row is searched for the pixel that moves to this position.
  case gather
  /// J. Zimandl's first scan-line idea, for whole pixels only: one loop moves pixels with depth comparisons; another loop fills
  /// each gap from its more distant end.
  case shiftAndFix = "scanline-shiftAndFix"
  /// J. Zimandl's second scan-line idea: gaps are filled in the same loop, still with depth comparisons.
  case gapsInOneLoop = "scanline-gapsInOneLoop"
  /// J. Zimandl's third scan-line idea: front pixels are drawn last, over all other pixels, without a comparison.
  case frontPixelLast = "scanline-frontPixelLast"
}
