public import DepthImages
import Foundation

/// Lanczos-3 by its definition, sample by sample, as the reference for the fast kernel.
public func referenceLanczos(_ image: Image, height: Int, width: Int) -> Image {
  var result = image
  if width != image.width {
    let x = result.pixels
    var y = [UInt8](repeating: 0, count: image.height * width * 3)
    for i in 0..<width {
      let (start, weights) = referenceLanczosWindow(i, from: image.width, to: width)
      for row in 0..<image.height {
        for c in 0..<3 {
          let samples = weights.indices.map { Int(x[(row * image.width + start + $0) * 3 + c]) }
          y[(row * width + i) * 3 + c] = rounded(samples, weights)
        }
      }
    }
    result = Image(height: image.height, width: width, pixels: y)
  }
  if height != image.height {
    let x = result.pixels
    var y = [UInt8](repeating: 0, count: height * width * 3)
    for i in 0..<height {
      let (start, weights) = referenceLanczosWindow(i, from: image.height, to: height)
      for j in 0..<width * 3 {
        let samples = weights.indices.map { Int(x[(start + $0) * width * 3 + j]) }
        y[i * width * 3 + j] = rounded(samples, weights)
      }
    }
    result = Image(height: height, width: width, pixels: y)
  }
  return result
}

/// The first input sample and the weights, in 1/2²², of output sample `i`.
func referenceLanczosWindow(_ i: Int, from inputs: Int, to outputs: Int) -> (Int, [Int]) {
  func sinc(_ t: Double) -> Double { t == 0 ? 1 : sin(t * .pi) / (t * .pi) }
  let scale = Double(inputs) / Double(outputs)
  let f = max(scale, 1)
  let centre = (Double(i) + 0.5) * scale
  let low = max(Int(centre - 3 * f + 0.5), 0)
  let high = min(Int(centre + 3 * f + 0.5), inputs)
  let weights = (low..<high).map { x -> Double in
    let t = (Double(x) - centre + 0.5) / f
    return abs(t) < 3 ? sinc(t) * sinc(t / 3) : 0
  }
  let sum = weights.reduce(0, +)
  return (low, weights.map { Int($0 / sum * 4_194_304 + ($0 / sum < 0 ? -0.5 : 0.5)) })
}

private func rounded(_ samples: [Int], _ weights: [Int]) -> UInt8 {
  let sum = zip(samples, weights).reduce(1 << 21) { $0 + $1.0 * $1.1 }
  return UInt8(min(max(sum >> 22, 0), 255))
}

/// Bilinear interpolation at half-integer pixel centers with repeated edges, in 64 bits.
public func referenceBilinear(
  _ values: [Float], height: Int, width: Int, toHeight newHeight: Int, width newWidth: Int
) -> [Double] {
  func sample(_ y: Int, _ x: Int) -> Double {
    Double(values[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)])
  }
  return (0..<newHeight * newWidth).map { i in
    let v = (Double(i / newWidth) + 0.5) * Double(height) / Double(newHeight) - 0.5
    let u = (Double(i % newWidth) + 0.5) * Double(width) / Double(newWidth) - 0.5
    let (y, x) = (Int(v.rounded(.down)), Int(u.rounded(.down)))
    let (fy, fx) = (v - Double(y), u - Double(x))
    return (1 - fy) * ((1 - fx) * sample(y, x) + fx * sample(y, x + 1))
      + fy * ((1 - fx) * sample(y + 1, x) + fx * sample(y + 1, x + 1))
  }
}
