import CDepthSIMD
package import DepthBase
package import DepthImages

extension PlanarLayout {
  /// Converts planes to 8-bit RGB.
  ///
  /// Pixels between two chroma samples are interpolated linearly, according to the siting. Without interpolation, a pixel
  /// takes the sample that covers the pixel. In 4:2:2 and 4:1:1, a sample is located at the first covered pixel.
  /// Transparent pixels are drawn over white.
  ///
  /// - Parameter planes: ``bytes(of:)`` bytes.
  package func image(
    _ planes: [UInt8], size: PixelSize, interpolatesChroma: Bool = true,
    isa: InstructionSet = .current
  ) -> Image {
    let kernels = PlaneKernels(isa)
    let conversion = ck_planes_to_rgb(matrix, range, bits: bits)
    var pixels: [UInt8] = colors(
      planes, size, channels: 3, conversion, kernels, interpolatesChroma: interpolatesChroma
    ) { _, luma, blue, red, rgb in
      kernels.rgbRow(conversion, luma: luma, blue: blue, red: red, into: &rgb)
    }
    if chroma == .fullWithAlpha { drawOverWhite(&pixels, alpha: planes, size) }
    return Image(height: size.height, width: size.width, pixels: pixels)
  }

  /// Converts all pixels, row by row.
  ///
  /// - Parameters:
  ///   - channels: Numbers per pixel.
  ///   - convert: Converts a row, given its index, its luma, and the chroma of each pixel in sixteenths of a sample.
  func colors<Number: Numeric & BitwiseCopyable>(
    _ planes: [UInt8], _ size: PixelSize, channels: Int, _ conversion: ck_planes_to_rgb,
    _ kernels: PlaneKernels, interpolatesChroma: Bool,
    _ convert: (
      _ y: Int, _ luma: Span<UInt8>, _ blue: [Int32], _ red: [Int32],
      _ numbers: inout MutableSpan<Number>
    ) -> Void
  ) -> [Number] {
    precondition(
      planes.count == bytes(of: size), "\(planes.count) bytes, expected \(bytes(of: size))")
    let (width, height) = (size.width, size.height)
    let rows = SampleRows(self, size)
    let across = steps.map {
      ChromaPosition.weights(
        step: $0.across, centered: chroma == .quarter && siting == .center,
        interpolates: interpolatesChroma)
    }
    let down = steps.map {
      ChromaPosition.rows(
        height, step: $0.down, centered: siting != .topLeft, interpolates: interpolatesChroma)
    }
    // Chroma between two rows of samples, and chroma of a row of pixels.
    let columns = rows.chroma.width * (steps?.across ?? 0)
    var line = [Int32](repeating: 0, count: rows.chroma.width + 2)
    var colors = Array(repeating: [Int32](repeating: 0, count: max(columns, width)), count: 2)
    return filledArray(count: width * height * channels) { (out: inout MutableSpan<Number>) in
      out.forEachRow(0..<height, width: channels * width) { y, numbers in
        if let across, let down {
          for plane in 0..<2 {
            kernels.chromaBetween(
              conversion, share: down[y].share,
              planes.span.extracting(rows.bytes(ofRow: down[y].first, chroma: plane)),
              planes.span.extracting(rows.bytes(ofRow: down[y].second, chroma: plane)), into: &line)
            kernels.chromaAcross(across, line, into: &colors[plane])
          }
        }
        convert(
          y, planes.span.extracting(rows.bytes(ofRow: y)), colors[0], colors[1], &numbers)
      }
    }
  }

  /// Offset of the alpha plane.
  func alphaStart(of size: PixelSize) -> Int { bytes(of: size) - size.width * size.height }

  /// Blends pixels with white by their alpha.
  private func drawOverWhite(_ pixels: inout [UInt8], alpha planes: [UInt8], _ size: PixelSize) {
    let planes = planes.span
    var pixels = pixels.mutableSpan
    let start = alphaStart(of: size)
    for pixel in 0..<size.width * size.height {
      let alpha = Int(planes[start + pixel])
      guard alpha < 255 else { continue }
      for place in 3 * pixel..<3 * pixel + 3 {
        pixels[place] = UInt8((Int(pixels[place]) * alpha + 255 * (255 - alpha) + 127) / 255)
      }
    }
  }
}

/// The positions of rows in a picture's planes.
struct SampleRows {
  private let luma: PixelSize
  let chroma: PixelSize
  private let sampleBytes: Int

  init(_ layout: PlanarLayout, _ size: PixelSize) {
    luma = size
    chroma = layout.chroma.planeSize(of: size)
    sampleBytes = layout.bits > 8 ? 2 : 1
  }

  /// The bytes of a row of luma.
  func bytes(ofRow y: Int) -> Range<Int> { bytes(y * luma.width, luma.width) }

  /// The bytes of a row of chroma.
  ///
  /// - Parameter plane: 0 for blue, 1 for red.
  func bytes(ofRow y: Int, chroma plane: Int) -> Range<Int> {
    bytes(
      luma.width * luma.height + (plane * chroma.height + y) * chroma.width, chroma.width)
  }

  private func bytes(_ first: Int, _ count: Int) -> Range<Int> {
    first * sampleBytes..<(first + count) * sampleBytes
  }
}

/// The two chroma rows adjacent to a row of pixels.
private struct ChromaPosition {
  let first, second: Int
  /// The weight of the second row, in quarters.
  let share: Int32

  /// The position of a pixel relative to the first sample, in quarters of a sample.
  ///
  /// - Parameter centered: Whether a sample is between its two pixels. Otherwise the sample is at the first pixel.
  private static func quarters(_ pixel: Int, step: Int, centered: Bool) -> Int {
    centered && step > 1 ? 2 * pixel - 1 : 4 * pixel / step
  }

  /// - Parameter step: Pixels per sample.
  static func rows(
    _ count: Int, step: Int, centered: Bool, interpolates: Bool
  ) -> [ChromaPosition] {
    let last = (count + step - 1) / step - 1
    return (0..<count).map { pixel in
      guard interpolates else {
        return ChromaPosition(first: pixel / step, second: pixel / step, share: 0)
      }
      let quarters = quarters(pixel, step: step, centered: centered)
      let first = quarters >> 2
      return ChromaPosition(
        first: max(first, 0), second: min(first + 1, last), share: Int32(quarters & 3))
    }
  }

  /// Weights in quarters of the previous sample, the pixel's own sample and the next sample, for each pixel of a sample.
  static func weights(step: Int, centered: Bool, interpolates: Bool) -> [Int32] {
    (0..<step).flatMap { pixel -> [Int32] in
      let quarters =
        interpolates ? Int32(quarters(pixel, step: step, centered: centered)) : 0
      return quarters < 0
        ? [-quarters, 4 + quarters, 0] : [0, 4 - quarters, quarters]
    }
  }
}

extension ck_planes_to_rgb {
  /// Factors for samples of any bit depth, rounded to the nearest.
  init(_ matrix: ColorMatrix, _ range: ColorRange, bits: Int) {
    let factors = ColorFactors(matrix, range)
    let deeper = bits - 8
    // Full range with n bits extends to 2ⁿ − 1, not to 255 · 2ⁿ⁻⁸.
    let whole = range == .full ? Double(255 << deeper) / Double((1 << bits) - 1) : 1
    let one = Double(1 << (16 - deeper)) * whole
    func fixed(_ value: Double) -> Int32 { Int32((value * one).rounded()) }
    self.init(
      wide: bits > 8, zero: 128 << Int32(deeper),
      black: range == .limited ? 16 << Int32(deeper) : 0, luma: fixed(factors.luma),
      red_from_red: fixed(factors.redFromCr), green_from_blue: fixed(factors.greenFromCb),
      green_from_red: fixed(factors.greenFromCr), blue_from_blue: fixed(factors.blueFromCb))
  }
}
