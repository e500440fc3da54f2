import SystemEssentials

/// The transfer curve of sRGB (IEC 61966-2-1) as tables.
package enum SRGB {
  /// Number of steps of ``coded`` from black to white.
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

  /// The bytes nearest to any light.
  package static let codes = LightCodes()
}

/// Computes the byte nearest to a light value, exactly even in the dark, where the steps of ``SRGB/coded`` are coarse.
///
/// Loops should hold a copy: ``SRGB/codes`` checks its initialization at each access.
package struct LightCodes: Sendable {
  /// The smallest light of each byte, where the code is halfway from the previous byte. The first element is −∞, the last
  /// is infinity.
  let thresholds: [Float]
  /// The byte of the smallest float with given upper 16 bits, for floats from ``least`` to 1. The floats of one element
  /// contain at most one threshold.
  let codes: [UInt8]

  /// A light whose byte is 0. Darker light is clamped to this light.
  static let least: Float = 0x1p-13

  fileprivate init() {
    let thresholds = (0...256).map { byte -> Float in
      guard byte > 0 else { return -.infinity }
      guard byte < 256 else { return .infinity }
      let value = (Double(byte) - 0.5) / 255
      return Float(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
    }
    let (first, last) = (Self.least.bitPattern >> 16, Float(1).bitPattern >> 16)
    var byte = 0
    codes = (first...last).map { bits in
      while Float(bitPattern: bits << 16) >= thresholds[byte + 1] { byte += 1 }
      return UInt8(byte)
    }
    self.thresholds = thresholds
  }

  /// The byte nearest to a light value, which is clamped to 0…1.
  package func code(of light: Float) -> UInt8 {
    let light = min(max(light, Self.least), 1)
    let code = codes[Int(light.bitPattern >> 16 - Self.least.bitPattern >> 16)]
    return light >= thresholds[Int(code) + 1] ? code + 1 : code
  }
}
