import Foundation

/// Layers of transformers and dense heads by their formulas, in 64-bit floats.
public enum ReferenceTransformer {
  public typealias Map = ReferenceConvolution.Map

  public static func gelu(_ x: Double) -> Double { x / 2 * (1 + erf(x / 2.0.squareRoot())) }

  public static func sigmoid(_ x: Double) -> Double { 1 / (1 + exp(-x)) }

  /// (x − mean) / √(variance + ε) · γ + β of each pixel.
  public static func normalized(
    _ x: Map, gamma: [Float], beta: [Float], epsilon: Double = 1e-6
  ) -> Map {
    var y = x
    for first in stride(from: 0, to: x.elements.count, by: x.channels) {
      let values = x.elements[first..<first + x.channels]
      let mean = values.reduce(0, +) / Double(x.channels)
      let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(x.channels)
      for c in 0..<x.channels {
        y.elements[first + c] =
          (x.elements[first + c] - mean) / (variance + epsilon).squareRoot() * Double(gamma[c])
          + Double(beta[c])
      }
    }
    return y
  }

  /// softmax(q kᵀ / √64) v of each head of tokens `1 × n × 3·width`. Other queries give zeros.
  public static func attention(_ x: Map, heads: Int, queries: [Int]? = nil) -> Map {
    let (tokens, width) = (x.width, 64 * heads)
    var y = Map(
      height: 1, width: tokens, channels: width,
      elements: [Double](repeating: 0, count: tokens * width))
    for head in 0..<heads {
      func part(_ index: Int, _ token: Int) -> ArraySlice<Double> {
        let first = token * 3 * width + index * width + head * 64
        return x.elements[first..<first + 64]
      }
      for query in queries ?? Array(0..<tokens) {
        let scores = (0..<tokens).map { key in
          zip(part(0, query), part(1, key)).reduce(0) { $0 + $1.0 * $1.1 } / 8
        }
        let largest = scores.max() ?? 0
        let shares = scores.map { exp($0 - largest) }
        let sum = shares.reduce(0, +)
        for key in 0..<tokens {
          let first = query * width + head * 64
          for (c, value) in part(2, key).enumerated() {
            y.elements[first + c] += shares[key] / sum * value
          }
        }
      }
    }
    return y
  }

  /// Bilinear interpolation with `align_corners`.
  public static func resized(_ x: Map, height: Int, width: Int) -> Map {
    func position(_ index: Int, _ from: Int, _ to: Int) -> (Int, Int, Double) {
      let p = to > 1 ? Double(index) * Double(from - 1) / Double(to - 1) : 0
      let whole = min(Int(p), from - 1)
      return (whole, min(whole + 1, from - 1), p - Double(whole))
    }
    var y = Map(height: height, width: width, channels: x.channels, elements: [])
    for row in 0..<height {
      let (top, bottom, v) = position(row, x.height, height)
      for column in 0..<width {
        let (left, right, u) = position(column, x.width, width)
        for c in 0..<x.channels {
          let above = x[top, left, c] * (1 - u) + x[top, right, c] * u
          let below = x[bottom, left, c] * (1 - u) + x[bottom, right, c] * u
          y.elements.append(above * (1 - v) + below * v)
        }
      }
    }
    return y
  }

  /// A transposed convolution whose kernel size equals the stride, with an OIHW kernel.
  public static func transposed(_ x: Map, kernel: [Float], bias: [Float], stride k: Int) -> Map {
    var y = Map(height: x.height * k, width: x.width * k, channels: bias.count, elements: [])
    for row in 0..<y.height {
      for column in 0..<y.width {
        for o in 0..<bias.count {
          var sum = Double(bias[o])
          for c in 0..<x.channels {
            let weight = kernel[((o * x.channels + c) * k + row % k) * k + column % k]
            sum += Double(weight) * x[row / k, column / k, c]
          }
          y.elements.append(sum)
        }
      }
    }
    return y
  }

  /// Bicubic interpolation (a = −0.75) at (n + ½) · side / (size + extra) − ½. The border repeats.
  public static func positions(
    _ learned: Map, height: Int, width: Int, extra: Double
  ) -> Map {
    func taps(_ index: Int, _ from: Int, _ to: Int) -> [(Int, Double)] {
      let p = (Double(index) + 0.5) * Double(from) / (Double(to) + extra) - 0.5
      let whole = p.rounded(.down)
      return (-1...2).map { k in
        let d = abs(p - whole - Double(k))
        let weight =
          d <= 1
          ? 1.25 * d * d * d - 2.25 * d * d + 1 : -0.75 * (d * d * d - 5 * d * d + 8 * d - 4)
        return (min(max(Int(whole) + k, 0), from - 1), weight)
      }
    }
    if height == learned.height, width == learned.width { return learned }
    var y = Map(height: height, width: width, channels: learned.channels, elements: [])
    for row in 0..<height {
      for column in 0..<width {
        for c in 0..<learned.channels {
          var sum = 0.0
          for (r, v) in taps(row, learned.height, height) {
            for (q, u) in taps(column, learned.width, width) { sum += v * u * learned[r, q, c] }
          }
          y.elements.append(sum)
        }
      }
    }
    return y
  }
}
