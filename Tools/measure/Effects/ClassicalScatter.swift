import DepthBase
import DepthImages
import Foundation

/// The blur that knows no occlusion: every pixel becomes a soft disc of its own size, and light is divided by
/// the sum of weights.
///
/// A pixel with radius `r` gives the weight `(0.5 + 0.5 · tanh(4 · (r − l))) / (r² + 0.2)` to the pixel at
/// distance `l`.
///
/// > Source: J. Peng, Z. Cao, X. Luo, H. Lu, K. Xian, J. Zhang. “BokehMe: When Neural Rendering Meets Classical
/// > Rendering.” CVPR 2022, section 3.2. [arXiv:2206.12614](https://arxiv.org/abs/2206.12614)
struct ClassicalScatter {
  let photo: Image
  /// Pixels; the sign is not used.
  let radii: [Float]

  func blurred(threads: Int) -> Image {
    let (height, width) = (photo.height, photo.width)
    let light = photo.pixels.map(Light.decoded)
    let extent = Int(radii.reduce(0) { max($0, abs($1)) }) + 1
    let pixels: [UInt8] = filledRows(height: height, width: width * 3, grain: 4, threads: threads) {
      rows, out in
      out.forEachRow(rows, width: width * 3) { y, out in
        for x in 0..<width {
          var (sum, total) = (SIMD3<Float>.zero, Float(0))
          for row in max(y - extent, 0)...min(y + extent, height - 1) {
            for column in max(x - extent, 0)...min(x + extent, width - 1) {
              let from = row * width + column
              let radius = abs(radii[from])
              let (down, across) = (Float(y - row), Float(x - column))
              guard max(abs(down), abs(across)) <= radius.rounded(.down) + 1 else { continue }
              let distance = (down * down + across * across).squareRoot()
              let weight = (0.5 + 0.5 * tanh(4 * (radius - distance))) / (radius * radius + 0.2)
              sum += weight * SIMD3(light[from * 3], light[from * 3 + 1], light[from * 3 + 2])
              total += weight
            }
          }
          for channel in 0..<3 { out[x * 3 + channel] = Light.encoded(sum[channel] / total) }
        }
      }
    }
    return Image(height: height, width: width, pixels: pixels)
  }
}

/// The transfer curve of sRGB, IEC 61966-2-1.
enum Light {
  static func decoded(_ byte: UInt8) -> Float {
    let value = Float(byte) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  static func encoded(_ light: Float) -> UInt8 {
    let clipped = min(max(light, 0), 1)
    let value = clipped <= 0.003_130_8 ? clipped * 12.92 : 1.055 * pow(clipped, 1 / 2.4) - 0.055
    return UInt8((value * 255).rounded())
  }
}
