import DepthBase
public import DepthImages

/// The method that combines a stereo pair into one picture for colored glasses.
///
/// Both views are added in linear light, and the sum is clipped. The Dubois matrices are least-squares fits to the spectra
/// of common glasses and screens. The fits minimize crosstalk between the eyes.
///
/// ```swift
/// try pair.anaglyph(.redCyan).write(to: url, chroma: .full)
/// ```
///
/// > Source: E. Dubois, "A projection method to generate anaglyph stereo images", ICASSP 2001, and his
/// > note of 2009 with matrices for LCD screens.
public enum Anaglyph: String, Sendable, Hashable, CaseIterable {
  /// Red glass left, cyan right; matrices by Dubois.
  case redCyan = "red-cyan"
  /// Green glass left, magenta right; matrices by Dubois.
  case greenMagenta = "green-magenta"
  /// Amber glass left, blue right; matrices by Dubois.
  case amberBlue = "amber-blue"
  /// For red–cyan glasses: red is the left view's brightness, and green and blue are the right view's brightness.
  case halfColor = "half-color"
  /// For red–cyan glasses: the brightness of both views. Without colors, the eyes have no color rivalry.
  case gray
  /// For red–cyan glasses: unchanged red of the left view, unchanged green and blue of the right view.
  case color

  /// The matrices for the left and the right view. Rows are red, green and blue of the result.
  var matrices: (left: [Float], right: [Float]) {
    // Relative luminance of linear sRGB light, ITU-R BT.709.
    let luminance: [Float] = [0.2126, 0.7152, 0.0722]
    let nothing: [Float] = [0, 0, 0]
    // swift-format-ignore
    switch self {
    case .redCyan:
      return (
        left: [ 0.437,  0.449,  0.164,  -0.062, -0.062, -0.024,  -0.048, -0.050, -0.017],
        right: [-0.011, -0.032, -0.007,  0.377,  0.761,  0.009,  -0.026, -0.093,  1.234])
    case .greenMagenta:
      return (
        left: [-0.062, -0.158, -0.039,  0.284,  0.668,  0.143,  -0.015, -0.027,  0.021],
        right: [ 0.529,  0.705,  0.024, -0.016, -0.015, -0.065,   0.009,  0.075,  0.937])
    case .amberBlue:
      return (
        left: [ 1.062, -0.205,  0.299,  -0.026,  0.908,  0.068,  -0.038, -0.173,  0.022],
        right: [-0.016, -0.123, -0.017,  0.006,  0.062, -0.017,   0.094,  0.185,  0.911])
    case .halfColor:
      return (left: luminance + nothing + nothing, right: nothing + [0, 1, 0, 0, 0, 1])
    case .gray:
      return (left: luminance + nothing + nothing, right: nothing + luminance + luminance)
    case .color:
      return (left: [1, 0, 0] + nothing + nothing, right: nothing + [0, 1, 0, 0, 0, 1])
    }
  }
}

extension StereoPair {
  /// The pair as an anaglyph.
  ///
  /// Save the anaglyph as PNG, or as JPEG without chroma subsampling: shared color samples would mix the two views.
  public func anaglyph(_ glasses: Anaglyph = .redCyan) -> Image {
    picture(.anaglyph(glasses), threads: availableProcessors)
  }
}
