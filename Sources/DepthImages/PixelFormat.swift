/// The layout of a picture's bytes in memory, row 0 at the top.
///
/// ```swift
/// let frame = try Image(
///   height: 480, width: 640, pixels: bytes, format: .bgra, bytesPerRow: 2560)
/// ```
public enum PixelFormat: Sendable, Hashable {
  /// Red, green, blue; 3 bytes per pixel, sRGB.
  case rgb
  /// Red, green, blue and an ignored alpha; 4 bytes per pixel.
  case rgba
  /// Blue, green, red and an ignored alpha; 4 bytes per pixel.
  case bgra
  /// One byte of gray per pixel.
  case gray
  /// A plane of one luma byte per pixel, followed by a plane of one Cb and one Cr byte per 2 × 2 pixels (sizes rounded up) with
  /// the same stride. Most cameras and video decoders provide this format.
  case nv12(YCbCrEncoding)

  /// All formats, with one NV12 format per encoding.
  package static let allCases: [PixelFormat] =
    [.rgb, .rgba, .bgra, .gray] + YCbCrEncoding.allCases.map(PixelFormat.nv12)

  /// The format's name.
  package var rawValue: String {
    switch self {
    case .rgb: "rgb"
    case .rgba: "rgba"
    case .bgra: "bgra"
    case .gray: "gray"
    case .nv12(let encoding): "nv12-\(encoding.rawValue)"
    }
  }

  /// Bytes of a row without padding. For NV12, both planes have this number.
  package func bytesPerRow(width: Int) -> Int {
    switch self {
    case .rgb: 3 * width
    case .rgba, .bgra: 4 * width
    case .gray: width
    case .nv12: (width + 1) / 2 * 2
    }
  }

  /// Rows of all planes.
  package func rows(height: Int) -> Int {
    if case .nv12 = self { height + (height + 1) / 2 } else { height }
  }
}

/// The matrix and the range of luma and chroma bytes.
///
/// Cameras and JPEG use BT.601. High-definition video uses BT.709. Black and white are 16 and 235 in the limited range of
/// video, and 0 and 255 in the full range of JPEG.
///
/// ```swift
/// let video = try Image(
///   height: 1080, width: 1920, pixels: bytes, format: .nv12(.bt709Limited))
/// ```
///
/// > Source: ITU-R BT.601-7 and BT.709-6, sections on signal format and digital representation; for the full range, JFIF (ITU-T
/// > T.871).
public enum YCbCrEncoding: String, Sendable, Hashable, CaseIterable {
  /// Standard-definition video, and most cameras' frames.
  case bt601Limited = "bt601-limited"
  /// JPEG.
  case bt601Full = "bt601-full"
  /// High-definition video.
  case bt709Limited = "bt709-limited"
  /// High-definition video from full-range devices.
  case bt709Full = "bt709-full"
}

extension YCbCrEncoding {
  /// The conversion to RGB in steps of 2⁻¹⁶.
  var matrix: YCbCrMatrix {
    let (matrix, range): (ColorMatrix, ColorRange) =
      switch self {
      case .bt601Limited: (.bt601, .limited)
      case .bt601Full: (.bt601, .full)
      case .bt709Limited: (.bt709, .limited)
      case .bt709Full: (.bt709, .full)
      }
    let factors = ColorFactors(matrix, range)
    func fixed(_ value: Double) -> Int32 { Int32((value * 65_536).rounded()) }
    return YCbCrMatrix(
      black: range == .limited ? 16 : 0, luma: fixed(factors.luma),
      redFromCr: fixed(factors.redFromCr), greenFromCb: fixed(factors.greenFromCb),
      greenFromCr: fixed(factors.greenFromCr), blueFromCb: fixed(factors.blueFromCb))
  }
}

/// Fixed-point factors from luma and chroma to RGB.
struct YCbCrMatrix {
  /// The luma byte of black.
  let black: Int32
  let luma, redFromCr, greenFromCb, greenFromCr, blueFromCb: Int32

  /// RGB, rounded to the nearest byte and clipped.
  @inline(__always)
  func rgb(_ y: UInt8, _ cb: UInt8, _ cr: UInt8) -> (UInt8, UInt8, UInt8) {
    let (y, cb, cr) = ((Int32(y) - black) &* luma &+ 32_768, Int32(cb) - 128, Int32(cr) - 128)
    func byte(_ value: Int32) -> UInt8 { UInt8(clamping: value >> 16) }
    return (
      byte(y &+ redFromCr &* cr), byte(y &+ greenFromCb &* cb &+ greenFromCr &* cr),
      byte(y &+ blueFromCb &* cb)
    )
  }
}
