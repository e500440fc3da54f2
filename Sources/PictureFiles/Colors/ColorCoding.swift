import SystemEssentials

/// The code points that define the meaning of a picture's numbers. They are in the `colr` box or the compressed pictures of
/// HEIC and AVIF, or in the `cICP` chunk of PNG. Reserved codes are treated as unspecified.
///
/// > Source: ITU-T H.273, tables 2 and 3; W3C PNG (Third Edition), section 11.3.2.6.
package struct ColorCoding: Equatable, Sendable {
  /// The code for unspecified primaries, transfer or matrix.
  static let unspecified = 2

  var primaries, transfer: Int
  /// Whether black is 0 and white the largest number.
  var isFullRange = true
  /// The brightest pixel in cd/m²; 0 if unknown.
  var brightest = 0.0

  package init(
    primaries: Int, transfer: Int, isFullRange: Bool = true, brightest: Double = 0
  ) {
    (self.primaries, self.transfer) = (primaries, transfer)
    (self.isFullRange, self.brightest) = (isFullRange, brightest)
  }

  /// Whether values can be brighter than white.
  var isHighDynamicRange: Bool { [16, 18].contains(transfer) }

  private var isHLG: Bool { transfer == 18 }

  /// The primaries, if they are wider than sRGB's primaries.
  private var widePrimaries: ColorPrimaries? {
    // PQ and HLG imply BT.2020 primaries if no primaries are specified: ITU-R BT.2100.
    ColorPrimaries.wide(isHighDynamicRange && primaries == 2 ? 9 : primaries)
  }

  /// The name of a transfer curve other than sRGB's; `nil` for curves that are treated as sRGB's.
  private var curveName: String? {
    switch transfer {
    case 4: "gamma 2.2"
    case 5: "gamma 2.8"
    case 8: "linear"
    case 9: "logarithmic, 100:1"
    case 10: "logarithmic, 316:1"
    case 16: "PQ"
    case 17: "SMPTE ST 428-1"
    case 18: "HLG"
    default: nil
    }
  }

  /// Whether the picture must be converted, because its range, primaries or curve differ from those of sRGB.
  var needsConversion: Bool { curveName != nil || widePrimaries != nil || !isFullRange }

  /// Conversion of samples 0…2^bits − 1 to sRGB.
  package func conversion(bits: Int) -> ColorConversion {
    let largest = Double((1 << bits) - 1)
    let unit = Double(1 << bits) / 256
    let curve = (0..<1 << bits).map { code in
      let number =
        isFullRange ? Double(code) / largest : (Double(code) - 16 * unit) / (219 * unit)
      return Float(light(of: min(1, max(0, number))))
    }
    let primaries = widePrimaries ?? .sRGB
    let peak = brightest > 0 ? brightest : ToneCurve.usualPeak
    return ColorConversion(
      curves: [curve, curve, curve], matrix: primaries.toSRGB,
      sceneLuminances: isHLG ? primaries.luminances : nil,
      tone: isHighDynamicRange ? ToneCurve(peak: peak) : nil)
  }

  /// The light for a number 0…1, relative to reference white; for HLG, scene light 0…1.
  private func light(of number: Double) -> Double {
    switch transfer {
    case 16: Self.pq(number) * 10_000 / ToneCurve.referenceWhite
    case 18: Self.hlg(number)
    case 4: pow(number, 2.2)
    case 5: pow(number, 2.8)
    case 8: number
    // The curve ends at 0.
    case 9: number > 0 ? pow(10, 2 * (number - 1)) : 0
    case 10: number > 0 ? pow(10, 2.5 * (number - 1)) : 0
    case 17: pow(number, 2.6) * 52.37 / 48
    // Television curves are treated as sRGB's curve, as in browsers.
    default: number <= 0.04045 ? number / 12.92 : pow((number + 0.055) / 1.055, 2.4)
    }
  }

  /// Light relative to 10 000 cd/m².
  ///
  /// > Source: ITU-R BT.2100-2, table 4.
  private static func pq(_ number: Double) -> Double {
    let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
    let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)
    let root = pow(number, 1 / m2)
    return pow(max(0, root - c1) / (c2 - c3 * root), 1 / m1)
  }

  /// > Source: ITU-R BT.2100-2, table 5.
  private static func hlg(_ number: Double) -> Double {
    let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
    return number <= 0.5 ? number * number / 3 : (exp((number - c) / a) + b) / 12
  }

  /// The sentence that reports the conversion to users.
  var note: String {
    let space = widePrimaries?.name ?? ColorPrimaries.sRGB.name
    guard !isHighDynamicRange else {
      return "its high dynamic range (\(isHLG ? "HLG" : "PQ"), \(space)) is mapped to sRGB"
    }
    let kind = [widePrimaries?.name, curveName].compactMap { $0 }.joined(separator: ", ")
    return "its colors (\(kind.isEmpty ? "limited range" : kind)) are converted to sRGB"
  }
}
