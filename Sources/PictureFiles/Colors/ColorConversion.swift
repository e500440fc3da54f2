import DepthBase
import DepthImages
import SystemEssentials

/// Conversion of a picture's numbers to sRGB: curves to linear light, a matrix, a roll-off of light brighter than white, and
/// sRGB's curve. Colors outside the gamut are clipped.
package struct ColorConversion: Sendable {
  /// Light relative to white for each number, one curve per channel.
  let curves: [[Float]]
  let matrix: ColorSpaceMatrix
  /// The luminances of the primaries, if the curves return scene light, as for HLG.
  var sceneLuminances: SIMD3<Double>?
  var tone: ToneCurve?

  /// Converts to sRGB, `count × 3` bytes.
  ///
  /// - Parameters:
  ///   - samples: Red, green, blue and optional opacity of each pixel. A number beyond the end of a curve counts as the
  ///     curve's last number.
  ///   - channels: 3 or 4. Transparent pixels are drawn over white.
  ///   - isPremultiplied: Whether colors are already multiplied by opacity.
  package func bytes<Sample: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    of samples: [Sample], channels: Int, isPremultiplied: Bool = false
  ) -> [UInt8] {
    precondition(channels == 3 || channels == 4, "\(channels) channels, expected 3 or 4")
    let count = samples.count / channels
    let last = curves[0].count - 1
    return filledArray(count: count * 3) { out in
      let samples = samples.span
      let (red, green, blue) = (curves[0], curves[1], curves[2])
      let reds = red.span
      let greens = green.span
      let blues = blue.span
      let pixel = PixelConversion(self)
      var (from, to) = (0, 0)
      while to < out.count {
        var (r, g, b) = (Int(samples[from]), Int(samples[from + 1]), Int(samples[from + 2]))
        let opacity = channels == 4 ? min(Int(samples[from + 3]), last) : last
        if isPremultiplied, opacity < last, opacity > 0 {
          (r, g, b) = (r * last / opacity, g * last / opacity, b * last / opacity)
        }
        let color = pixel.bytes(reds[min(r, last)], greens[min(g, last)], blues[min(b, last)])
        for channel in 0..<3 {
          let byte = Int(color[channel])
          out[to + channel] =
            opacity == last
            ? UInt8(byte)
            : UInt8((byte * opacity + 255 * (last - opacity) + last / 2) / last)
        }
        from += channels
        to += 3
      }
    }
  }

  /// The largest change of a byte by the conversion, in levels.
  ///
  /// - Parameter steps: The steps per channel in the lattice of tested colors.
  func largestChange(steps: Int) -> Int {
    let numbers = (0...steps).map { UInt8($0 * 255 / steps) }
    let lattice = numbers.flatMap { red in
      numbers.flatMap { green in numbers.flatMap { [red, green, $0] } }
    }
    return zip(lattice, bytes(of: lattice, channels: 3)).map { abs(Int($0) - Int($1)) }.max() ?? 0
  }
}

/// The part of a conversion after the curves, in single precision.
private struct PixelConversion {
  private let red, green, blue: SIMD4<Float>
  private let luminances: SIMD4<Float>?
  private let tone: ToneCurve?
  private let codes = SRGB.codes
  /// Light of HLG's nominal peak of 1000 cd/m² relative to white.
  private static let scenePeak = Float(1000 / ToneCurve.referenceWhite)

  init(_ conversion: ColorConversion) {
    func column(_ index: Int) -> SIMD4<Float> {
      let rows = conversion.matrix.rows
      return SIMD4(Float(rows[0][index]), Float(rows[1][index]), Float(rows[2][index]), 0)
    }
    (red, green, blue) = (column(0), column(1), column(2))
    luminances = conversion.sceneLuminances.map {
      SIMD4(Float($0.x), Float($0.y), Float($0.z), 0)
    }
    tone = conversion.tone
  }

  @inline(__always)
  func bytes(_ r: Float, _ g: Float, _ b: Float) -> SIMD4<UInt8> {
    var light = red * r + green * g + blue * b
    if let luminances {
      // Light of HLG on a screen of 1000 cd/m²: ITU-R BT.2100-2, table 5, gamma 1.2.
      let luminance = (luminances * SIMD4(r, g, b, 0)).sum()
      light *= luminance > 0 ? Self.scenePeak * pow(luminance, 0.2) : 0
    }
    if let tone {
      // A common factor for all channels keeps the hue.
      let largest = light.max()
      if largest > ToneCurve.knee { light *= tone(largest) / largest }
    }
    return SIMD4(codes.code(of: light.x), codes.code(of: light.y), codes.code(of: light.z), 0)
  }
}
