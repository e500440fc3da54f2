/// Colors for depth, from the farthest to the nearest point.
///
/// ```swift
/// try depth.picture(.turbo).write(to: url)
/// ```
public enum ColorMap: String, Hashable, Sendable, CaseIterable {
  /// Black to white.
  case gray
  /// Black over red to pale yellow; perceptually even.
  case inferno
  /// Black over purple to pale rose; perceptually even.
  case magma
  /// Dark violet over green to yellow; perceptually even and suitable for color-blind people.
  case viridis
  /// Blue over green to red: a rainbow without false edges.
  case turbo
  /// Violet over pale yellow to red.
  case spectral

  /// 256 sRGB colors, `256 × 3` bytes, from far to near.
  package var colors: [UInt8] {
    switch self {
    case .gray: (0...255).flatMap { [$0, $0, $0] }
    case .inferno: Self.bytes(Self.infernoDigits)
    case .magma: Self.bytes(Self.magmaDigits)
    case .viridis: Self.bytes(Self.viridisDigits)
    case .turbo: Self.bytes(Self.turboDigits)
    case .spectral: Self.bytes(Self.spectralDigits)
    }
  }

  private static func bytes(_ digits: StaticString) -> [UInt8] {
    // '0'…'9' end in 0…9 and lie below 64; 'a'…'f' end in 1…6 and lie above.
    func value(_ digit: UInt8) -> UInt8 { digit & 15 + (digit < 64 ? 0 : 9) }
    let digits = digits.utf8Bytes
    return stride(from: 0, to: digits.count, by: 2).map {
      value(digits[$0]) << 4 | value(digits[$0 + 1])
    }
  }
}
