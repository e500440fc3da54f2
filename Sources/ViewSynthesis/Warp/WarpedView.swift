/// One synthesized view.
package struct WarpedView: Sendable, Equatable {
  /// `height · width · 3` bytes.
  package var pixels: [UInt8]
  /// `height · width` bytes: 255 for invented colors that the photo does not show, else 0.
  package var holes: [UInt8]
  /// The visible parallax of each pixel, or the background's parallax in holes: `height · width` levels, 128 at
  /// the plane of the screen, larger for nearer points. Empty if the plan has no step.
  package var parallax: [UInt8] = []
}
