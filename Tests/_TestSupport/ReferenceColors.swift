import Foundation

/// The conversion of coded colors to sRGB by the standards' formulas in double precision.
package enum ReferenceColors {
  package enum Transfer: Int, Sendable, CaseIterable {
    case sRGB = 13
    case pq = 16
    case hlg = 18
  }

  /// Published matrices from linear light of P3 or BT.2020 to linear light of BT.709.
  ///
  /// > Source: ITU-R BT.2407, annex; CSS Color 4, section 17.
  private static let toSRGB: [Int: [[Double]]] = [
    1: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    9: [
      [1.660491, -0.587641, -0.072850], [-0.124550, 1.132900, -0.008349],
      [-0.018151, -0.100579, 1.118730],
    ],
    // The matrix includes Bradford's adaptation of DCI's white to BT.709's white.
    11: [
      [1.157516, -0.154962, -0.002554], [-0.041500, 1.045568, -0.004068],
      [-0.018050, -0.078578, 1.096628],
    ],
    12: [
      [1.224940, -0.224940, 0], [-0.042057, 1.042057, 0], [-0.019638, -0.078636, 1.098274],
    ],
  ]

  /// The luminance of each primary color.
  private static let luminances = [
    1: [0.2126, 0.7152, 0.0722], 9: [0.2627, 0.6780, 0.0593],
    11: [0.20949, 0.72160, 0.06891], 12: [0.22897, 0.69174, 0.07929],
  ]

  /// The sRGB color, 0…255 without rounding, of red, green and blue in 0…1.
  ///
  /// - Parameters:
  ///   - primaries: The code 1, 9, 11 or 12 of ITU-T H.273.
  ///   - peak: The brightest luminance in cd/m².
  package static func sRGB(
    _ color: [Double], primaries: Int, transfer: Transfer, peak: Double = 1000
  ) -> [Double] {
    var light = color.map { self.light($0, transfer) }
    if transfer == .hlg {
      let weights = luminances[primaries] ?? []
      let luminance = zip(weights, light).map { $0 * $1 }.reduce(0, +)
      light = light.map { luminance > 0 ? 1000 / 203 * pow(luminance, 0.2) * $0 : 0 }
    }
    var result = (toSRGB[primaries] ?? []).map { row in
      row[0] * light[0] + row[1] * light[1] + row[2] * light[2]
    }
    let largest = result.max() ?? 0
    if transfer != .sRGB, largest > 0.8 {
      result = result.map { $0 * rolledOff(largest, peak: peak / 203) / largest }
    }
    return result.map { value in
      let value = min(1, max(0, value))
      return 255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055)
    }
  }

  /// The PQ code of a luminance in cd/m².
  package static func pq(of luminance: Double) -> Double {
    let root = pow(luminance / 10_000, 0.1593017578125)
    return pow((0.8359375 + 18.8515625 * root) / (1 + 18.6875 * root), 78.84375)
  }

  private static func light(_ number: Double, _ transfer: Transfer) -> Double {
    switch transfer {
    case .sRGB: return number <= 0.04045 ? number / 12.92 : pow((number + 0.055) / 1.055, 2.4)
    case .pq:
      let root = pow(number, 1 / 78.84375)
      let ratio = max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)
      return pow(ratio, 1 / 0.1593017578125) * 10_000 / 203
    case .hlg:
      return number <= 0.5
        ? number * number / 3 : (exp((number - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }
  }

  private static func rolledOff(_ light: Double, peak: Double) -> Double {
    guard peak > 1 else { return light }
    let (t, end) = ((light - 0.8) / 0.2, (peak - 0.8) / 0.2)
    return min(1, 0.8 + 0.2 * t * (1 + t / (end * end)) / (1 + t))
  }
}
