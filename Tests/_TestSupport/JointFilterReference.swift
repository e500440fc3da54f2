public import DepthImages
import SystemEssentials

/// The formulas of the joint filters as plain nested loops in `Double`.
public enum JointFilterReference {
  /// A plane of `height × width` numbers.
  public struct Plane: Sendable {
    public let height, width: Int
    public let values: [Double]

    public init(height: Int, width: Int, values: [Double]) {
      (self.height, self.width, self.values) = (height, width, values)
    }

    subscript(y: Int, x: Int) -> Double { values[y * width + x] }

    /// Linear interpolation between pixel centers at ½. The border is repeated.
    public func stretched(height newHeight: Int, width newWidth: Int) -> Plane {
      func place(_ i: Int, _ count: Int, _ length: Int) -> (Int, Int, Double) {
        let x = (Double(i) + 0.5) * Double(length) / Double(count) - 0.5
        let below = Int(x.rounded(.down))
        return (max(below, 0), min(below + 1, length - 1), x - Double(below))
      }
      var out: [Double] = []
      for y in 0..<newHeight {
        let (top, bottom, v) = place(y, newHeight, height)
        for x in 0..<newWidth {
          let (left, right, u) = place(x, newWidth, width)
          out.append(
            (1 - v) * ((1 - u) * self[top, left] + u * self[top, right])
              + v * ((1 - u) * self[bottom, left] + u * self[bottom, right]))
        }
      }
      return Plane(height: newHeight, width: newWidth, values: out)
    }
  }

  /// The squared distance of two pixels' colors, which are in 0…1.
  static func colourDistance(_ a: Image, _ p: Int, _ b: Image, _ q: Int) -> Double {
    (0..<3).reduce(0) { sum, c in
      let difference = (Double(a.pixels[p * 3 + c]) - Double(b.pixels[q * 3 + c])) / 255
      return sum + difference * difference
    }
  }

  /// The normal density with mean 0.
  static func density(_ x: Double, _ sigma: Double) -> Double {
    exp(-0.5 * x * x / (sigma * sigma)) / (sigma * (2 * Double.pi).squareRoot())
  }

  /// The joint bilateral filter with normal densities and a window that the border cuts off.
  /// `products` are values times weights.
  public static func bilateral(
    products: Plane, weights: Plane, guide: Image, radius: Int, sigmaSpatial: Double,
    sigmaRange: Double
  ) -> [Double] {
    var out: [Double] = []
    for y in 0..<guide.height {
      for x in 0..<guide.width {
        var (sum, norm) = (0.0, 0.0)
        for j in max(0, y - radius)...min(guide.height - 1, y + radius) {
          for i in max(0, x - radius)...min(guide.width - 1, x + radius) {
            let distance = colourDistance(
              guide, y * guide.width + x, guide, j * guide.width + i
            ).squareRoot()
            let factor =
              density(distance, sigmaRange) / density(0, sigmaRange)
              * density(Double(i - x), sigmaSpatial) * density(Double(j - y), sigmaSpatial)
            sum += factor * products[j, i]
            norm += factor * weights[j, i]
          }
        }
        out.append(norm > 0 ? sum / norm : 0)
      }
    }
    return out
  }

  /// Joint bilateral upsampling over `taps × taps` coarse pixels. `window` is the spatial weight.
  public static func upsampling(
    _ map: Plane, weights: Plane, guide: Image, photo: Image, taps: Int, sigmaRange: Double,
    window: (Double) -> Double
  ) -> [Double] {
    var out: [Double] = []
    for y in 0..<photo.height {
      for x in 0..<photo.width {
        let v = (Double(y) + 0.5) * Double(map.height) / Double(photo.height) - 0.5
        let u = (Double(x) + 0.5) * Double(map.width) / Double(photo.width) - 0.5
        let (top, left) = (
          Int(v.rounded(.down)) - taps / 2 + 1, Int(u.rounded(.down)) - taps / 2 + 1
        )
        var (sum, norm) = (0.0, 0.0)
        for j in top..<top + taps {
          for i in left..<left + taps {
            let row = min(max(j, 0), map.height - 1)
            let column = min(max(i, 0), map.width - 1)
            let exponent =
              -0.5
              * colourDistance(photo, y * photo.width + x, guide, row * map.width + column)
              / (sigmaRange * sigmaRange) / log(2.0)
            let factor =
              window(v - Double(j)) * window(u - Double(i))
              * exp2(max(exponent, exponent / 32 - 48, -100))
            sum += factor * weights[row, column] * map[row, column]
            norm += factor * weights[row, column]
          }
        }
        out.append(norm > 0 ? sum / norm : 0)
      }
    }
    return out
  }
}
