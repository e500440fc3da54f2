/// Chromaticities of red, green, blue and white, each as x and y.
struct ColorPrimaries: Sendable, Equatable {
  let name: String
  let red, green, blue, white: SIMD2<Double>

  private static let d65 = SIMD2(0.3127, 0.3290)
  private static let c = SIMD2(0.310, 0.316)

  static let sRGB = ColorPrimaries(
    name: "sRGB", red: SIMD2(0.640, 0.330), green: SIMD2(0.300, 0.600), blue: SIMD2(0.150, 0.060),
    white: d65)

  /// The primaries of a code point if they are wider than sRGB's, else `nil`. The primaries of
  /// standard television, which many programs write for sRGB, are not wide.
  ///
  /// > Source: ITU-T H.273, table 2.
  static func wide(_ code: Int) -> ColorPrimaries? {
    switch code {
    case 4:
      ColorPrimaries(
        name: "BT.470 M", red: SIMD2(0.67, 0.33), green: SIMD2(0.21, 0.71), blue: SIMD2(0.14, 0.08),
        white: c)
    case 8:
      ColorPrimaries(
        name: "film", red: SIMD2(0.681, 0.319), green: SIMD2(0.243, 0.692),
        blue: SIMD2(0.145, 0.049), white: c)
    case 9:
      ColorPrimaries(
        name: "BT.2020", red: SIMD2(0.708, 0.292), green: SIMD2(0.170, 0.797),
        blue: SIMD2(0.131, 0.046), white: d65)
    case 10:
      ColorPrimaries(
        name: "CIE XYZ", red: SIMD2(1, 0), green: SIMD2(0, 1), blue: SIMD2(0, 0),
        white: SIMD2(1.0 / 3, 1.0 / 3))
    case 11:
      ColorPrimaries(
        name: "DCI-P3", red: SIMD2(0.680, 0.320), green: SIMD2(0.265, 0.690),
        blue: SIMD2(0.150, 0.060), white: SIMD2(0.314, 0.351))
    case 12:
      ColorPrimaries(
        name: "Display P3", red: SIMD2(0.680, 0.320), green: SIMD2(0.265, 0.690),
        blue: SIMD2(0.150, 0.060), white: d65)
    default: nil
    }
  }

  /// The matrix from linear light of these primaries to CIE XYZ with Y = 1 for white.
  ///
  /// > Source: SMPTE RP 177, section 3.3.
  var toXYZ: ColorSpaceMatrix {
    let axes = ColorSpaceMatrix(columns: [red, green, blue].map(Self.xyz))
    guard let inverse = axes.inverse else { return axes }
    return axes * ColorSpaceMatrix(diagonal: inverse * Self.xyz(white))
  }

  /// The luminance of each primary.
  var luminances: SIMD3<Double> { toXYZ.rows[1] }

  /// The matrix from linear light of these primaries to linear light of sRGB; white is mapped to white.
  var toSRGB: ColorSpaceMatrix {
    Self.sRGBFromXYZ * Self.adaptation(from: Self.xyz(white), to: Self.xyz(Self.d65)) * toXYZ
  }

  /// The matrix from XYZ relative to D50, as in profiles, to linear light of sRGB.
  ///
  /// > Source: ICC.1:2022, section 7.2.16 (the illuminant).
  static let sRGBFromD50: ColorSpaceMatrix =
    sRGBFromXYZ * adaptation(from: SIMD3(0.9642, 1, 0.8249), to: xyz(d65))

  private static let sRGBFromXYZ = sRGB.toXYZ.inverse ?? ColorSpaceMatrix(diagonal: .one)

  /// XYZ of a chromaticity with Y = 1, or with X + Y + Z = 1 for a color without luminance.
  private static func xyz(_ xy: SIMD2<Double>) -> SIMD3<Double> {
    let xyz = SIMD3(xy.x, xy.y, 1 - xy.x - xy.y)
    return xy.y > 0 ? xyz / xy.y : xyz
  }

  /// The matrix from colors under one light to colors with the same appearance under another light.
  ///
  /// > Source: ICC.1:2022, annex E.3 (the linearized Bradford transform).
  private static func adaptation(
    from source: SIMD3<Double>, to target: SIMD3<Double>
  ) -> ColorSpaceMatrix {
    let cones = ColorSpaceMatrix([
      SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367),
      SIMD3(0.0389, -0.0685, 1.0296),
    ])
    guard let back = cones.inverse else { return ColorSpaceMatrix(diagonal: .one) }
    return back * ColorSpaceMatrix(diagonal: (cones * target) / (cones * source)) * cones
  }
}
