/// The algorithm that moves pixels: the warp, or for comparisons one of J. Zimandl's.
package enum StereoRenderer: String, Sendable, Hashable, CaseIterable {
  /// Ordered forward warp with sub-pixel positions and filled holes. The default.
  case orderedWarp = "ordered-warp"
  /// J. Zimandl's search: for every pixel of a view, the photo's row is searched for the pixel that moves there.
  case gather
  /// J. Zimandl's first scan-line idea, whole pixels only: one loop moves pixels with depth comparisons, another fills each gap
  /// from the more distant of its two ends.
  case shiftAndFix = "scanline-shiftAndFix"
  /// J. Zimandl's second scan-line idea: gaps are filled in the same loop, still with depth comparisons.
  case gapsInOneLoop = "scanline-gapsInOneLoop"
  /// J. Zimandl's third scan-line idea: front pixels are drawn last and overwrite the others without a comparison.
  case frontPixelLast = "scanline-frontPixelLast"
}
