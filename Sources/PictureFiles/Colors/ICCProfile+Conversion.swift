import SystemEssentials

/// Conversion to sRGB by a matrix-and-curves profile.
///
/// > Source: ICC.1:2022, sections 7.2 (header), 7.3 (tags), 10.6 (`curv`), 10.18 (`para`), 10.31 (`XYZ `), annex F.3 (the model).
extension ICCProfile {
  /// The interpretation of a picture's numbers by a profile.
  enum Meaning {
    /// The numbers are those of sRGB, up to rounding.
    case sRGB
    case other(ColorConversion)
    /// The profile is damaged, or uses color tables instead of a matrix.
    case unknown
  }

  /// The sentence that reports an inapplicable profile to users.
  static let noteOfUnknown =
    "its color profile has no matrix and curves; its colors are treated as sRGB"

  static func meaning(of profile: [UInt8]) -> Meaning {
    guard let conversion = conversion(by: profile, bits: 8) else { return .unknown }
    return conversion.largestChange(steps: latticeSteps) <= largestRounding
      ? .sRGB : .other(conversion)
  }

  private static let latticeSteps = 15
  /// Largest difference between sRGB and profiles of sRGB with rounded tables, in levels.
  private static let largestRounding = 2

  /// The conversion of gray samples 0…2^bits − 1; `nil` if the profile is not gray, is that of sRGB, or cannot be read.
  static func grayConversion(by profile: [UInt8], bits: Int = 8) -> ColorConversion? {
    guard describesGray(profile), case .other(let conversion) = meaning(of: profile) else {
      return nil
    }
    return bits == 8 ? conversion : Self.conversion(by: profile, bits: bits)
  }

  private static func conversion(by profile: [UInt8], bits: Int) -> ColorConversion? {
    let tags = Tags(profile, largest: (1 << bits) - 1)
    if describesGray(profile) {
      guard let curve = tags.curve("kTRC") else { return nil }
      return ColorConversion(
        curves: [curve, curve, curve], matrix: ColorSpaceMatrix(diagonal: .one))
    }
    guard describesRGB(profile), tags.reader.holds("XYZ ", at: 20), let red = tags.color("rXYZ"),
      let green = tags.color("gXYZ"), let blue = tags.color("bXYZ"),
      let redCurve = tags.curve("rTRC"), let greenCurve = tags.curve("gTRC"),
      let blueCurve = tags.curve("bTRC"), whites.contains(red.y + green.y + blue.y)
    else { return nil }
    return ColorConversion(
      curves: [redCurve, greenCurve, blueCurve],
      matrix: ColorPrimaries.sRGBFromD50 * ColorSpaceMatrix(columns: [red, green, blue]))
  }

  /// Accepted luminances of white: the colorants of an intact profile add up to 1.
  private static let whites = 0.9...1.1

  private struct Tags {
    let reader: ByteReader

    /// The largest sample of a picture.
    let largest: Int

    init(_ profile: [UInt8], largest: Int) {
      (reader, self.largest) = (ByteReader(bytes: profile), largest)
    }

    /// Offset of a tag's data.
    private func start(of name: StaticString) -> Int? {
      let count = Int(reader.integer(UInt32.self, at: 128) ?? 0)
      for entry in stride(from: 132, to: 132 + 12 * min(count, 1000), by: 12)
      where reader.holds(name, at: entry) {
        return reader.integer(UInt32.self, at: entry + 4).map(Int.init)
      }
      return nil
    }

    /// A signed fixed-point number of 16.16 bits.
    private func number(at offset: Int) -> Double? {
      reader.integer(UInt32.self, at: offset).map { Double(Int32(bitPattern: $0)) / 65536 }
    }

    func color(_ name: StaticString) -> SIMD3<Double>? {
      guard let start = start(of: name), reader.holds("XYZ ", at: start),
        let x = number(at: start + 8), let y = number(at: start + 12),
        let z = number(at: start + 16)
      else { return nil }
      return SIMD3(x, y, z)
    }

    /// Light 0…1 of every number.
    func curve(_ name: StaticString) -> [Float]? {
      guard let start = start(of: name) else { return nil }
      let function = reader.holds("curv", at: start) ? sampled(start) : parametric(start)
      return function.map { function in
        (0...largest).map { Float(min(1, max(0, function(Double($0) / Double(largest))))) }
      }
    }

    private func sampled(_ start: Int) -> ((Double) -> Double)? {
      guard let count = reader.integer(UInt32.self, at: start + 8).map(Int.init), count <= 65_536
      else { return nil }
      let samples = (0..<count).compactMap { reader.integer(UInt16.self, at: start + 12 + 2 * $0) }
      guard samples.count == count else { return nil }
      switch count {
      case 0: return { $0 }
      case 1: return { pow($0, Double(samples[0]) / 256) }
      default:
        return { value in
          let place = value * Double(count - 1)
          let index = min(Int(place), count - 2)
          let (low, high) = (Double(samples[index]), Double(samples[index + 1]))
          return (low + (high - low) * (place - Double(index))) / 65535
        }
      }
    }

    private func parametric(_ start: Int) -> ((Double) -> Double)? {
      guard reader.holds("para", at: start), let type = reader.integer(UInt16.self, at: start + 8),
        let count = [1, 3, 4, 5, 7][safe: Int(type)]
      else { return nil }
      var values = (0..<count).compactMap { number(at: start + 12 + 4 * $0) }
      guard values.count == count else { return nil }
      // g, a, b, c, d, e, f are the parameters of the longest form. Below d the curve is linear.
      switch type {
      case 0: values = [values[0], 1, 0, 0, 0, 0, 0]
      case 1, 2:
        let (a, b, c) = (values[1], values[2], type == 2 ? values[3] : 0)
        guard a != 0 else { return nil }
        values = [values[0], a, b, 0, -b / a, c, c]
      default: values += [0, 0].prefix(7 - count)
      }
      let (g, a, b, c, d, e, f) = (
        values[0], values[1], values[2], values[3], values[4], values[5], values[6]
      )
      return { $0 >= d ? pow(max(0, a * $0 + b), g) + e : c * $0 + f }
    }
  }
}

extension Array {
  /// The element at an index; `nil` outside.
  fileprivate subscript(safe index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
