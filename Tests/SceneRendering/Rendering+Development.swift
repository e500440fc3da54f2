public import DepthImages
import SystemEssentials

/// The conversion of linear radiance to the bytes of a photo.
extension Rendering {
  /// The picture of a plain camera: sRGB with rolled-off highlights.
  public var image: Image {
    Self.encoded(radiance, width: camera.width, height: camera.height)
  }

  /// The picture without a tone curve. Light is clipped at 1 and encoded as sRGB, so pixels are
  /// proportional to light, as a lens adds light.
  public var untonedImage: Image {
    let pixels = (0..<radiance.count * 3).map { Self.byte(radiance[$0 / 3][$0 % 3]) }
    return Image(height: camera.height, width: camera.width, pixels: pixels)
  }

  /// The sRGB curve (IEC 61966-2-1) for light that is clipped to 0…1.
  private static func byte(_ light: Float) -> UInt8 {
    let light = clamp(light)
    let encoded = light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    return UInt8(clamp(encoded) * 255 + 0.5)
  }

  /// The picture after tone curve and sRGB encoding.
  static func encoded(_ colors: [Vector], width: Int, height: Int) -> Image {
    let pixels = (0..<colors.count * 3).map { encode(colors[$0 / 3][$0 % 3]) }
    return Image(height: height, width: width, pixels: pixels)
  }

  /// Rolls highlights off exponentially, and then applies the sRGB curve by a table.
  private static func encode(_ linear: Float) -> UInt8 {
    let position = clamp(linear.squareRoot() / tableEnd) * Float(table.count - 1)
    return table[Int(position + 0.5)]
  }

  /// The table is linear in the square root of radiance, so dark tones have enough entries.
  private static let tableEnd: Float = 2.6
  private static let table: [UInt8] = (0...8191).map { index in
    let root = Float(index) / 8191 * tableEnd
    return byte(1 - exp(-1.15 * root * root))
  }

  /// The picture of a cheap camera, with random exposure, white balance, vignetting, a little blur,
  /// and noise that grows with the square root of the light.
  ///
  /// - Parameters:
  ///   - seed: Determines the photo. Equal seeds give equal photos.
  ///   - noiseSeed: Determines the noise of a further frame. `nil` is for a single photo.
  ///   - gain: The light of this frame as a multiple of the other frames' light.
  ///   - keepsHighlights: Whether most of the light below the brightest 3 % stays below white.
  public func photographed(
    seed: UInt64, noiseSeed: UInt64? = nil, gain: Float = 1, keepsHighlights: Bool = false
  ) -> Image {
    var random = SplitMix64(seed: seed ^ 0x5EED_CA4E)
    let (width, height) = (camera.width, camera.height)
    // Metering moves the log mean of the frame to a mid tone, not always completely.
    let logMean =
      radiance.reduce(Float(0)) { $0 + log(max($1.luminance, 1e-4)) } / Float(radiance.count)
    let metered = pow(0.3 / exp(logMean), random(0.6...1))
    var exposure = metered * exp(0.22 * random.normal())
    if keepsHighlights {
      let bright = radiance.map(\.luminance).sorted()[radiance.count * 97 / 100]
      exposure = min(exposure, random(0.9...2) / max(bright, 1e-4))
    }
    let warmth = 0.07 * random.normal()
    let tint = 0.03 * random.normal()
    let gains = Vector(1 + warmth, 1 - tint, 1 - warmth) * exposure * gain
    let vignetting = random(0...0.35)
    let noise = random(0.002...0.022)
    let blur = random(0...0.35)
    let middle = SIMD2(Float(width), Float(height)) / 2
    let blurred = softened(blur)
    if let noiseSeed { random = SplitMix64(seed: noiseSeed &* 0x9E37_79B9 ^ seed ^ 0xF7A3_E5EE) }
    var colors = [Vector]()
    colors.reserveCapacity(blurred.count)
    for y in 0..<height {
      for x in 0..<width {
        let offset = (SIMD2(Float(x), Float(y)) + 0.5 - middle) / middle.x
        let squared = (offset * offset).sum()
        var color = blurred[y * width + x] * gains * (1 - vignetting * min(squared, 2) / 2)
        for channel in 0..<3 {
          let level = max(color[channel], 0)
          let grain = Noise.gaussian(&random) * noise * (level + 0.02).squareRoot()
          color[channel] = max(level + grain, 0)
        }
        colors.append(color)
      }
    }
    return Self.encoded(colors, width: width, height: height)
  }

  /// The JPEG quality with which a phone or another program stores the photo.
  public static func fileQuality(seed: UInt64) -> Int {
    var random = SplitMix64(seed: seed ^ 0x4A50_4547)
    return random(60...96)
  }

  /// A 3 × 3 blur that mixes each pixel with its four neighbors.
  private func softened(_ amount: Float) -> [Vector] {
    let (width, height) = (camera.width, camera.height)
    return radiance.indices.map { index in
      let (y, x) = index.quotientAndRemainder(dividingBy: width)
      let sides =
        radiance[y * width + max(x - 1, 0)] + radiance[y * width + min(x + 1, width - 1)]
        + radiance[max(y - 1, 0) * width + x] + radiance[min(y + 1, height - 1) * width + x]
      return mix(radiance[index], sides / 4, amount)
    }
  }
}

extension Noise {
  /// A roughly normal number with unit variance from one draw of four 16-bit uniforms.
  fileprivate static func gaussian(_ random: inout SplitMix64) -> Float {
    let bits = random.next()
    let sum =
      Float(bits & 0xFFFF) + Float(bits >> 16 & 0xFFFF) + Float(bits >> 32 & 0xFFFF)
      + Float(bits >> 48)
    return (sum / 65535 - 2) * 1.732_050_8  // variance of the sum is 4/12
  }
}
