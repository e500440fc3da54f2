import Foundation

/// ICC profiles of a matrix and tone curves.
///
/// > Source: ICC.1:2022, sections 7.2, 7.3, 10.6, 10.18 and 10.31.
package enum MadeUpProfile {
  /// Display P3's colorants relative to D50, from Apple's profile.
  package static let p3 = [
    "rXYZ": [0.51512, 0.24120, -0.00105], "gXYZ": [0.29198, 0.69225, 0.04189],
    "bXYZ": [0.15710, 0.06657, 0.78407],
  ]
  package static let sRGB = [
    "rXYZ": [0.43607, 0.22249, 0.01392], "gXYZ": [0.38515, 0.71687, 0.09708],
    "bXYZ": [0.14307, 0.06061, 0.71410],
  ]
  package static let displayP3 = profile(p3, curve: parametric)

  /// The curve of sRGB as a function, and as a table.
  package static let parametric = function(
    3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
  package static let sampled =
    Array("curv\0\0\0\0".utf8) + long(1024)
    + (0..<1024).flatMap { index -> [UInt8] in
      let value = Double(index) / 1023
      let light = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      return short(Int((light * 65535).rounded()))
    }

  /// A curve as a function of type `para`.
  package static func function(_ type: UInt8, _ values: [Double]) -> [UInt8] {
    Array("para\0\0\0\0\0".utf8) + [type, 0, 0] + values.flatMap(fixed)
  }

  package static func gamma(_ exponent: Double) -> [UInt8] {
    Array("curv\0\0\0\0".utf8) + long(1) + short(Int((exponent * 256).rounded()))
  }

  package static func gray(gamma exponent: Double) -> [UInt8] {
    profile([:], curve: gamma(exponent), space: "GRAY")
  }

  /// A profile of these colorants, with one curve for all channels.
  package static func profile(
    _ colorants: [String: [Double]], curve: [UInt8], space: String = "RGB "
  ) -> [UInt8] {
    var tags = colorants.sorted { $0.key < $1.key }.map { name, values in
      (name, Array("XYZ \0\0\0\0".utf8) + values.flatMap(fixed))
    }
    for name in space == "GRAY" ? ["kTRC"] : ["rTRC", "gTRC", "bTRC"] { tags.append((name, curve)) }
    var head = [UInt8](repeating: 0, count: 128)
    head.replaceSubrange(16..<24, with: "\(space)XYZ ".utf8)
    var (table, data): ([UInt8], [UInt8]) = (long(tags.count), [])
    for (name, content) in tags {
      table += Array(name.utf8) + long(132 + 12 * tags.count + data.count) + long(content.count)
      data += content
    }
    return head + table + data
  }

  private static func fixed(_ value: Double) -> [UInt8] { long(Int((value * 65536).rounded())) }
  private static func long(_ value: Int) -> [UInt8] { short(value >> 16) + short(value) }
  private static func short(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }
}
