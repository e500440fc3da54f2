import DepthImages
import PictureFiles
import Testing
import _TestSupport

@testable import FrameStreams

/// Frames of high dynamic range follow the standards' formulas.
@Suite struct DeepFramesTests {
  typealias Transfer = ReferenceColors.Transfer

  private static let layouts = [
    PlanarLayout(chroma: .full, bits: 10, matrix: .bt2020),
    PlanarLayout(chroma: .full, bits: 12, matrix: .bt2020, range: .full),
    PlanarLayout(chroma: .full, bits: 12, matrix: .bt709),
  ]

  /// All colors whose components are multiples of a quarter.
  private static let lattice: [[Double]] = {
    let steps = [0, 0.25, 0.5, 0.75, 1]
    return steps.flatMap { red in
      steps.flatMap { green in steps.map { blue in [red, green, blue] } }
    }
  }()

  /// The 4:4:4 planes of a row of colors.
  private func planes(_ colors: [[Double]], _ layout: PlanarLayout) -> [UInt8] {
    let (red, blue) = layout.matrix == .bt2020 ? (0.2627, 0.0593) : (0.2126, 0.0722)
    let step = Double(1 << (layout.bits - 8))
    let full = Double(1 << layout.bits - 1)
    let (black, lumaRange, chromaRange) =
      layout.range == .full ? (0, full, full) : (16 * step, 219 * step, 224 * step)
    var samples: [[Double]] = [[], [], []]
    for color in colors {
      let luma = red * color[0] + (1 - red - blue) * color[1] + blue * color[2]
      samples[0].append(black + lumaRange * luma)
      samples[1].append(128 * step + chromaRange * (color[2] - luma) / (2 * (1 - blue)))
      samples[2].append(128 * step + chromaRange * (color[0] - luma) / (2 * (1 - red)))
    }
    return samples.joined().flatMap { sample -> [UInt8] in
      let sample = Int(min(sample.rounded(), full))
      return [UInt8(sample & 255), UInt8(sample >> 8)]
    }
  }

  private func image(
    _ colors: [[Double]], _ layout: PlanarLayout, _ transfer: Transfer, peak: Double = 0
  ) -> Image {
    let coding = ColorCoding(primaries: 9, transfer: transfer.rawValue, brightest: peak)
    return layout.image(
      planes(colors, layout), size: PixelSize(width: colors.count, height: 1),
      by: coding.conversion(bits: PlanarLayout.deepBits))
  }

  @Test("grays of HDR frames equal grays of photos", arguments: [Transfer.pq, .hlg], layouts)
  func graysAreThoseOfPhotos(transfer: Transfer, layout: PlanarLayout) {
    let ramp: [[Double]] = (0...200).map { .init(repeating: Double($0) / 200, count: 3) }
    for peak in [0, 400, 4000.0] {
      let pixels = image(ramp, layout, transfer, peak: peak).pixels
      for (index, color) in ramp.enumerated() {
        let wanted = ReferenceColors.sRGB(
          color, primaries: 9, transfer: transfer, peak: peak > 0 ? peak : 1000)
        for channel in 0..<3 {
          #expect(
            abs(Double(pixels[3 * index + channel]) - wanted[channel]) <= 1,
            "\(color[0]) \(peak)")
        }
      }
    }
  }

  /// 12 bits hold colors within a fraction of an 8-bit level, except dark PQ colors.
  @Test("colors of HDR frames equal colors of photos", arguments: [Transfer.pq, .hlg])
  func colorsAreThoseOfPhotos(transfer: Transfer) {
    let pixels = image(Self.lattice, Self.layouts[1], transfer).pixels
    for (index, color) in Self.lattice.enumerated() {
      let wanted = ReferenceColors.sRGB(color, primaries: 9, transfer: transfer)
      for channel in 0..<3 {
        #expect(abs(Double(pixels[3 * index + channel]) - wanted[channel]) <= 3, "\(color)")
      }
    }
  }

  @Test("transparent HDR frames are drawn over white") func transparentFramesAreDrawnOverWhite() {
    let gray = ReferenceColors.pq(of: 203 * 0.2140)  // 128
    let layout = PlanarLayout(
      chroma: .fullWithAlpha, matrix: .bt2020, range: .full)
    let planes =
      [UInt8](repeating: UInt8((gray * 255).rounded()), count: 3)
      + [UInt8](repeating: 128, count: 6) + [0, 102, 255]
    let coding = ColorCoding(primaries: 9, transfer: 16)
    let pixels = layout.image(
      planes, size: PixelSize(width: 3, height: 1),
      by: coding.conversion(bits: PlanarLayout.deepBits)
    ).pixels
    for (index, wanted) in [255, 204, 128].enumerated() {
      for channel in 0..<3 { #expect(abs(Int(pixels[3 * index + channel]) - wanted) <= 3) }
    }
  }

  @Test(
    "a picture is centered in a black frame",
    arguments: [(4, 12, 3, 0), (10, 5, 0, 3), (1, 1, 4, 5)])
  func picturesAreSetIn(width: Int, height: Int, left: Int, top: Int) {
    let white = Image(height: 12, width: 10, pixels: [UInt8](repeating: 255, count: 360))
    let inset = white.inset(PixelSize(width: width, height: height))
    for y in 0..<12 {
      for x in 0..<10 {
        let isInside = (left..<left + width).contains(x) && (top..<top + height).contains(y)
        #expect(inset.pixels[3 * (10 * y + x)] == (isInside ? 255 : 0), "\(x) \(y)")
      }
    }
  }
}
