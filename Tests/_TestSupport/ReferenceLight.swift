import Foundation

/// Light and mixtures of colors in 64 bits, as references for the picture kernels.
public enum ReferenceLight {
  /// The light, 0…1, of an sRGB byte.
  public static func linear(_ byte: UInt8) -> Double { light(ofCode: Double(byte)) }

  /// The byte whose light is nearest to `light`.
  public static func byte(_ light: Double) -> Double {
    let light = min(max(light, 0), 1)
    return 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055)
  }

  /// The light of a code, which may be fractional.
  public static func light(ofCode code: Double) -> Double {
    let value = code / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  /// The mean light of each pixel's area, in codes without rounding.
  public static func areaMean(
    _ pixels: [UInt8], height: Int, width: Int, toHeight: Int, toWidth: Int
  ) -> [Double] {
    func shares(_ index: Int, _ count: Int, over source: Int) -> [(pixel: Int, share: Double)] {
      let scale = Double(source) / Double(count)
      let (low, high) = (Double(index) * scale, Double(index + 1) * scale)
      return (0..<source).compactMap { pixel in
        let covered = min(high, Double(pixel + 1)) - max(low, Double(pixel))
        return covered > 0 ? (pixel, covered / scale) : nil
      }
    }
    return (0..<toHeight * toWidth).flatMap { index in
      let rows = shares(index / toWidth, toHeight, over: height)
      let columns = shares(index % toWidth, toWidth, over: width)
      return (0..<3).map { channel in
        var sum = 0.0
        for (y, down) in rows {
          for (x, across) in columns {
            sum += down * across * linear(pixels[(y * width + x) * 3 + channel])
          }
        }
        return byte(sum)
      }
    }
  }

  /// `clip(A · left + B · right)` in linear light, in codes without rounding.
  public static func mixed(
    _ left: [UInt8], _ right: [UInt8], leftMatrix: [Float], rightMatrix: [Float]
  ) -> [Double] {
    var result: [Double] = []
    for pixel in stride(from: 0, to: left.count, by: 3) {
      for row in 0..<3 {
        var sum = 0.0
        for column in 0..<3 {
          sum += Double(leftMatrix[row * 3 + column]) * linear(left[pixel + column])
          sum += Double(rightMatrix[row * 3 + column]) * linear(right[pixel + column])
        }
        result.append(byte(sum))
      }
    }
    return result
  }
}
