import NeuralEngine
import _TestSupport

/// The formulas of layers in 64-bit floats.
struct ReferenceLayers {
  typealias Map = ReferenceConvolution.Map

  let archive: NoiseArchive
  let epsilon: Double

  /// A convolution with bias and symmetric padding.
  func convolved(_ x: Map, _ layer: String, size: Int, stride: Int = 1) -> Map {
    let padding = (size - 1) / 2
    return ReferenceConvolution.convolved(
      x, kernel: archive.elements(of: "\(layer)/kernel"), kernelHeight: size, kernelWidth: size,
      stride: stride, top: padding, left: padding,
      outputHeight: (x.height + 2 * padding - size) / stride + 1,
      outputWidth: (x.width + 2 * padding - size) / stride + 1,
      bias: archive.elements(of: "\(layer)/bias"))
  }

  /// γ · (x − mean) / √(variance + ε) + β.
  func normalized(_ x: Map, _ layer: String) -> Map {
    let (gamma, beta, mean, variance) = (
      archive.elements(of: "\(layer)/gamma"), archive.elements(of: "\(layer)/beta"),
      archive.elements(of: "\(layer)/mean"), archive.elements(of: "\(layer)/variance")
    )
    var y = x
    for i in y.elements.indices {
      let c = i % x.channels
      y.elements[i] =
        Double(gamma[c]) * (x.elements[i] - Double(mean[c]))
        / (Double(variance[c]) + epsilon).squareRoot() + Double(beta[c])
    }
    return y
  }

  /// One branch: four interleaved convolutions, then batch norm.
  func upConvolved(_ x: Map, _ branch: String, padding: UpConvolution.Padding) -> Map {
    let channels = archive.elements(of: "\(branch)_ConvA/bias").count
    var y = Map(
      height: 2 * x.height, width: 2 * x.width, channels: channels,
      elements: [Double](repeating: 0, count: 4 * x.height * x.width * channels))
    for phase in UpConvolution.Phase.allCases {
      let layer = "\(branch)_Conv\(phase.letter)"
      let twoTap = padding == .topLeft ? 1 : 0
      let part = ReferenceConvolution.convolved(
        x, kernel: archive.elements(of: "\(layer)/kernel"), kernelHeight: phase.kernelHeight,
        kernelWidth: phase.kernelWidth, top: phase.kernelHeight == 3 ? 1 : twoTap,
        left: phase.kernelWidth == 3 ? 1 : twoTap, outputHeight: x.height, outputWidth: x.width,
        bias: archive.elements(of: "\(layer)/bias"))
      let (row, column) = (phase.kernelHeight == 3 ? 0 : 1, phase.kernelWidth == 3 ? 0 : 1)
      for r in 0..<x.height {
        for c in 0..<x.width {
          for k in 0..<channels {
            let pixel = (2 * r + row) * y.width + 2 * c + column
            y.elements[pixel * channels + k] = part[r, c, k]
          }
        }
      }
    }
    return normalized(y, "\(branch)_BN")
  }

  func relu(_ x: Map) -> Map {
    var y = x
    y.elements = x.elements.map { max($0, 0) }
    return y
  }

  func sum(_ a: Map, _ b: Map) -> Map {
    var y = a
    y.elements = zip(a.elements, b.elements).map { $0 + $1 }
    return y
  }

  /// The maximum of 3×3 windows at every second pixel. Odd extents are padded on both sides, even
  /// extents only at the end.
  static func maxPooled(_ x: Map) -> Map {
    let (height, width) = ((x.height + 1) / 2, (x.width + 1) / 2)
    var y = Map(height: height, width: width, channels: x.channels, elements: [])
    for r in 0..<height {
      for c in 0..<width {
        for k in 0..<x.channels {
          var best = -Double.infinity
          for i in 0..<3 {
            for j in 0..<3 {
              let (row, column) = (2 * r + i - x.height % 2, 2 * c + j - x.width % 2)
              guard 0..<x.height ~= row, 0..<x.width ~= column else { continue }
              best = max(best, x[row, column, k])
            }
          }
          y.elements.append(best)
        }
      }
    }
    return y
  }
}
