package import DepthImages

extension PlanarLayout {
  /// Red, green and blue of a picture, 8 bits each.
  ///
  /// Between two samples of chroma a pixel gets some of both, by its distance from where the siting puts them; or,
  /// not interpolated, that of the sample that covers it. In 4:2:2 and 4:1:1 samples lie at the first pixel that
  /// they count for.
  ///
  /// - Parameter planes: ``bytes(of:)`` bytes.
  package func image(
    _ planes: [UInt8], size: PixelSize, interpolatesChroma: Bool = true
  ) -> Image {
    precondition(
      planes.count == bytes(of: size), "\(planes.count) bytes, expected \(bytes(of: size))")
    let (width, height) = (size.width, size.height)
    let (chromaWidth, chromaHeight) = chromaSize(size)
    let sampleBytes = bits > 8 ? 2 : 1
    let conversion = YCbCrConversion(matrix, range, bits: bits)
    let acrossTaps = chroma.steps.map {
      ChromaTap.taps(
        width, step: $0.across, centered: chroma == .quarter && siting == .center,
        interpolates: interpolatesChroma)
    }
    let downTaps = chroma.steps.map {
      ChromaTap.taps(
        height, step: $0.down, centered: siting != .topLeft, interpolates: interpolatesChroma)
    }
    let pixels = unsafe [UInt8](unsafeUninitializedCapacity: width * height * 3) { out, count in
      unsafe planes.withUnsafeBytes { planes in
        let luma = unsafe planes
        func sample(_ index: Int) -> Int32 {
          sampleBytes == 1
            ? unsafe Int32(luma[index])
            : unsafe Int32(luma[2 * index]) | Int32(luma[2 * index + 1]) << 8
        }
        // Chroma of a row of samples between two rows, in quarters, and of a row of pixels, in sixteenths.
        var lines = [[Int32]](repeating: [Int32](repeating: 0, count: chromaWidth), count: 2)
        var (blue, red) = (
          [Int32](repeating: 0, count: width), [Int32](repeating: 0, count: width)
        )
        let firstChroma = width * height
        for y in 0..<height {
          if let acrossTaps, let down = downTaps?[y] {
            for plane in 0..<2 {
              let start = firstChroma + plane * chromaWidth * chromaHeight
              let upper = start + down.first * chromaWidth
              let lower = start + down.second * chromaWidth
              for x in 0..<chromaWidth {
                lines[plane][x] =
                  (4 - down.share) * sample(upper + x) + down.share * sample(lower + x)
                  - 4 * conversion.zero
              }
            }
            for x in 0..<width {
              let tap = acrossTaps[x]
              blue[x] =
                (4 - tap.share) * lines[0][tap.first] + tap.share * lines[0][tap.second]
              red[x] =
                (4 - tap.share) * lines[1][tap.first] + tap.share * lines[1][tap.second]
            }
          }
          let row = y * width
          for x in 0..<width {
            let rgb = conversion.rgb(sample(row + x), blue[x], red[x])
            let to = (row + x) * 3
            unsafe (out[to], out[to + 1], out[to + 2]) = rgb
          }
        }
      }
      count = width * height * 3
    }
    return Image(height: height, width: width, pixels: pixels)
  }
}

/// The two samples of chroma that a row or column of pixels lies between.
private struct ChromaTap {
  let first, second: Int
  /// The second one's part of 4.
  let share: Int32

  /// - Parameters:
  ///   - step: Pixels per sample.
  ///   - centered: Whether a sample lies in the middle of its pixels, or at the first of them.
  static func taps(_ count: Int, step: Int, centered: Bool, interpolates: Bool) -> [ChromaTap] {
    let samples = (count + step - 1) / step
    return (0..<count).map { pixel in
      let own = pixel / step
      guard interpolates, step > 1 else { return ChromaTap(first: own, second: own, share: 0) }
      // Quarters of a sample; samples in the middle of their pixels are those of pairs.
      let quarters = centered ? 2 * pixel - 1 : 4 * pixel / step
      let first = min(max(quarters >> 2, 0), samples - 1)
      return ChromaTap(
        first: quarters < 0 ? 0 : first, second: min(max((quarters >> 2) + 1, 0), samples - 1),
        share: quarters < 0 ? 0 : Int32(quarters & 3))
    }
  }
}

/// Luma and chroma of any depth to red, green and blue of 8 bits, rounded to the nearest.
struct YCbCrConversion {
  /// The sample without color.
  let zero: Int32
  private let black, luma, redFromRed, greenFromBlue, greenFromRed, blueFromBlue: Int32

  init(_ matrix: ColorMatrix, _ range: ColorRange, bits: Int) {
    let (red, blue) = matrix.weights
    let green = 1 - red - blue
    let (lumaScale, chromaScale) = range == .limited ? (255.0 / 219, 255.0 / 224) : (1, 1)
    let deeper = bits - 8
    // Full range of more bits reaches to 2ⁿ − 1, not to 255 · 2ⁿ⁻⁸.
    let whole = range == .full ? Double(255 << deeper) / Double((1 << bits) - 1) : 1
    let one = Double(1 << (16 - deeper)) * whole
    func fixed(_ value: Double) -> Int32 { Int32((value * one).rounded()) }
    zero = 128 << Int32(deeper)
    black = range == .limited ? 16 << Int32(deeper) : 0
    luma = fixed(lumaScale)
    redFromRed = fixed(chromaScale * 2 * (1 - red))
    greenFromBlue = fixed(chromaScale * -2 * (1 - blue) * blue / green)
    greenFromRed = fixed(chromaScale * -2 * (1 - red) * red / green)
    blueFromBlue = fixed(chromaScale * 2 * (1 - blue))
  }

  /// - Parameters:
  ///   - y: A sample of luma.
  ///   - cb: Sixteenths of a sample of blue minus luma, from ``zero`` on; `cr` likewise.
  @inline(__always)
  func rgb(_ y: Int32, _ cb: Int32, _ cr: Int32) -> (UInt8, UInt8, UInt8) {
    let light = (y - black) &* 16 &* luma &+ 1 << 19
    func byte(_ value: Int32) -> UInt8 { UInt8(clamping: value >> 20) }
    return (
      byte(light &+ redFromRed &* cr),
      byte(light &+ greenFromBlue &* cb &+ greenFromRed &* cr),
      byte(light &+ blueFromBlue &* cb)
    )
  }
}
