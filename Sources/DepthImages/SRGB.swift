import SystemEssentials

/// The transfer curve of sRGB (IEC 61966-2-1) as tables.
package enum SRGB {
  /// Steps of ``coded`` from black to white.
  package static let steps: Float = 16384

  /// Light, 0…1, for every byte.
  package static let linear: [Float] = (0...255).map { byte in
    let value = Double(byte) / 255
    return Float(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
  }

  /// The byte for light `i / steps`.
  package static let coded: [UInt8] = (0...Int(steps)).map { step in
    let light = Double(step) / Double(steps)
    let value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    return UInt8((value * 255).rounded())
  }

  /// Light halfway, in codes, between a byte and the one before it; of 0 everything.
  private static let lowest: [Float] = (0...255).map { byte in
    let value = (Double(byte) - 0.5) / 255
    return byte == 0
      ? -.infinity
      : Float(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
  }

  /// The byte nearest to light, 0…1, also between the steps of ``coded``, which are coarse where it is dark.
  package static func code(of light: Float) -> UInt8 {
    var byte = Int(coded[Int(min(max(light, 0), 1) * steps + 0.5)])
    while byte < 255, light >= lowest[byte + 1] { byte += 1 }
    while light < lowest[byte] { byte -= 1 }
    return UInt8(byte)
  }
}
