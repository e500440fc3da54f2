/// How luma and chroma are made of red, green and blue.
package enum ColorMatrix: String, Sendable, Hashable, CaseIterable {
  /// ITU-R BT.601: standard definition, JPEG, and what ffmpeg makes of RGB unless told otherwise.
  case bt601
  /// ITU-R BT.709: high definition.
  case bt709

  /// Shares of red and blue in luma.
  var shares: (red: Double, blue: Double) {
    switch self {
    case .bt601: (0.299, 0.114)
    case .bt709: (0.2126, 0.0722)
    }
  }

  /// What players assume of a stream that does not say: BT.709 from 720 rows or 1280 columns on.
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

/// From luma and chroma bytes to red, green and blue in 16.16 fixed point.
///
/// > Source: ITU-R BT.601-7, section 2.5; BT.709-6, section 3; JFIF 1.02 for the full range.
struct ColorConversion: Sendable {
  let lumaOffset, luma, redFromV, greenFromU, greenFromV, blueFromU: Int32

  init(_ matrix: ColorMatrix, _ range: ColorRange) {
    let (red, blue) = matrix.shares
    let green = 1 - red - blue
    let lumaScale = range == .limited ? 255.0 / 219 : 1
    let chromaScale = range == .limited ? 255.0 / 224 : 1
    func fixed(_ x: Double) -> Int32 { Int32((x * 65536).rounded()) }
    lumaOffset = range == .limited ? 16 : 0
    luma = fixed(lumaScale)
    redFromV = fixed(2 * (1 - red) * chromaScale)
    blueFromU = fixed(2 * (1 - blue) * chromaScale)
    greenFromU = fixed(-2 * (1 - blue) * blue / green * chromaScale)
    greenFromV = fixed(-2 * (1 - red) * red / green * chromaScale)
  }

  @inline(__always)
  static func byte(_ fixed: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: max(0, min(255, (fixed &+ 32768) >> 16)))
  }

  @inline(__always)
  func write(luma y: UInt8, u: UInt8, v: UInt8, to out: UnsafeMutablePointer<UInt8>) {
    let light = (Int32(y) - lumaOffset) &* luma
    let (u, v) = (Int32(u) - 128, Int32(v) - 128)
    unsafe out[0] = Self.byte(light &+ redFromV &* v)
    unsafe out[1] = Self.byte(light &+ greenFromU &* u &+ greenFromV &* v)
    unsafe out[2] = Self.byte(light &+ blueFromU &* u)
  }
}
