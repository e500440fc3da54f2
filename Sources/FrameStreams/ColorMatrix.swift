import DepthImages

/// How luma and chroma are made of red, green and blue.
package enum ColorMatrix: String, Sendable, Hashable, CaseIterable {
  /// ITU-R BT.601: standard definition, JPEG, and the default of ffmpeg for RGB.
  case bt601
  /// ITU-R BT.709: high definition.
  case bt709

  /// What players assume for a stream that does not record it: BT.709 above 576 rows or from 1280 columns on.
  package static func assumed(width: Int, height: Int) -> ColorMatrix {
    width >= 1280 || height > 576 ? .bt709 : .bt601
  }
}

/// The bytes that stand for black and white.
package enum ColorRange: String, Sendable, Hashable, CaseIterable {
  /// Luma 16…235, chroma 16…240.
  case limited
  /// 0…255.
  case full
}

extension YCbCrEncoding {
  init(_ matrix: ColorMatrix, _ range: ColorRange) {
    switch (matrix, range) {
    case (.bt601, .limited): self = .bt601Limited
    case (.bt601, .full): self = .bt601Full
    case (.bt709, .limited): self = .bt709Limited
    case (.bt709, .full): self = .bt709Full
    }
  }
}

extension ColorMatrix {
  /// The shares of red and blue in luma.
  var weights: (red: Double, blue: Double) {
    switch self {
    case .bt601: (0.299, 0.114)
    case .bt709: (0.2126, 0.0722)
    }
  }
}
