/// The coefficients of luma and chroma.
package enum ColorMatrix: String, Sendable, Hashable, CaseIterable {
  /// ITU-R BT.601: standard definition, JPEG, and the default of ffmpeg for RGB.
  case bt601
  /// ITU-R BT.709: high definition.
  case bt709
  /// ITU-R BT.2020: ultra high definition and high dynamic range, with non-constant luminance.
  case bt2020

  /// The matrix that players assume for a stream without a matrix: BT.709 above 576 rows or from 1280
  /// columns.
  package static func assumed(width: Int, height: Int) -> ColorMatrix {
    width >= 1280 || height > 576 ? .bt709 : .bt601
  }

  /// The coefficients of red and blue in luma.
  package var weights: (red: Double, blue: Double) {
    switch self {
    case .bt601: (0.299, 0.114)
    case .bt709: (0.2126, 0.0722)
    case .bt2020: (0.2627, 0.0593)
    }
  }
}

/// The bytes of black and white.
package enum ColorRange: String, Sendable, Hashable, CaseIterable {
  /// Luma 16…235, chroma 16…240.
  case limited
  /// 0…255.
  case full
}

/// Factors from 8-bit luma and chroma, without offsets, to RGB 0…255.
package struct ColorFactors: Sendable {
  package let luma, redFromCr, greenFromCb, greenFromCr, blueFromCb: Double

  package init(_ matrix: ColorMatrix, _ range: ColorRange) {
    let (red, blue) = matrix.weights
    let green = 1 - red - blue
    let (luma, chroma) = range == .limited ? (255.0 / 219, 255.0 / 224) : (1, 1)
    self.luma = luma
    redFromCr = chroma * 2 * (1 - red)
    greenFromCb = chroma * -2 * (1 - blue) * blue / green
    greenFromCr = chroma * -2 * (1 - red) * red / green
    blueFromCb = chroma * 2 * (1 - blue)
  }
}
