import DepthBase
import DepthImages
import Testing

@testable import FrameStreams

/// Planes of luma and chroma follow their definition in 64-bit floats.
@Suite struct PlanarLayoutTests {
  private static let size = PixelSize(width: 13, height: 7)

  static let layouts: [PlanarLayout] =
    [.center, .left, .topLeft].map {
      PlanarLayout(chroma: .quarter, siting: $0, matrix: .bt601)
    } + [
      PlanarLayout(chroma: .quarter, bits: 10, matrix: .bt709),
      PlanarLayout(chroma: .quarter, bits: 12, matrix: .bt709, range: .full),
      PlanarLayout(chroma: .half, matrix: .bt709),
      PlanarLayout(chroma: .half, bits: 10, matrix: .bt601),
      PlanarLayout(chroma: .full, matrix: .bt601, range: .full),
      PlanarLayout(chroma: .full, bits: 10, matrix: .bt709),
      PlanarLayout(chroma: .half, bits: 12, matrix: .bt2020),
      PlanarLayout(chroma: .none, bits: 10, matrix: .bt601, range: .full),
      PlanarLayout(chroma: .fullWithAlpha, matrix: .bt709),
      PlanarLayout(chroma: .strip, matrix: .bt601),
      PlanarLayout(chroma: .none, matrix: .bt601, range: .full),
    ]

  /// The shares of red and blue in luma.
  private func weights(_ matrix: ColorMatrix) -> (red: Double, blue: Double) {
    switch matrix {
    case .bt601: (0.299, 0.114)
    case .bt709: (0.2126, 0.0722)
    case .bt2020: (0.2627, 0.0593)
    }
  }

  /// Black, the ranges of luma and chroma, and zero chroma.
  private func scales(_ layout: PlanarLayout) -> (
    black: Double, luma: Double, chroma: Double, zero: Double
  ) {
    let step = Double(1 << (layout.bits - 8))
    let full = Double((1 << layout.bits) - 1)
    return layout.range == .full
      ? (0, full, full, 128 * step) : (16 * step, 219 * step, 224 * step, 128 * step)
  }

  private func samples(_ bytes: [UInt8], _ layout: PlanarLayout) -> [Double] {
    guard layout.bits > 8 else { return bytes.map(Double.init) }
    return stride(from: 0, to: bytes.count, by: 2).map {
      Double(Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8)
    }
  }

  private func bytes(_ layout: PlanarLayout, seed: Int) -> [UInt8] {
    let count = layout.bytes(of: Self.size) / (layout.bits > 8 ? 2 : 1)
    return (0..<count).flatMap { index -> [UInt8] in
      let value = ((index + seed * 977) &* 2_654_435_761) >> 11 & ((1 << layout.bits) - 1)
      return layout.bits > 8 ? [UInt8(value & 255), UInt8(value >> 8)] : [UInt8(value)]
    }
  }

  /// The position of the first chroma sample, in pixels.
  private func origin(_ layout: PlanarLayout) -> (x: Double, y: Double) {
    guard layout.chroma == .quarter else { return (0, 0) }
    switch layout.siting {
    case .center: return (0.5, 0.5)
    case .left: return (0, 0.5)
    case .topLeft: return (0, 0)
    }
  }

  private func steps(_ layout: PlanarLayout) -> (across: Int, down: Int)? {
    switch layout.chroma {
    case .quarter: (2, 2)
    case .half: (2, 1)
    case .full, .fullWithAlpha: (1, 1)
    case .strip: (4, 1)
    case .none: nil
    }
  }

  @Test("planes of each layout are read by their definition", arguments: layouts)
  func picturesAreReadByTheirDefinition(layout: PlanarLayout) {
    let (width, height) = (Self.size.width, Self.size.height)
    let bytes = bytes(layout, seed: 1)
    let planes = samples(bytes, layout)
    let scales = scales(layout)
    let image = layout.image(bytes, size: Self.size)
    let (red, blue) = weights(layout.matrix)
    var worst = 0.0
    for y in 0..<height {
      for x in 0..<width {
        var chroma = [0.0, 0.0]
        if let steps = steps(layout) {
          let columns = (width + steps.across - 1) / steps.across
          let rows = (height + steps.down - 1) / steps.down
          let atX = (Double(x) - origin(layout).x) / Double(steps.across)
          let atY = (Double(y) - origin(layout).y) / Double(steps.down)
          for plane in 0..<2 {
            func sample(_ r: Int, _ c: Int) -> Double {
              planes[
                width * height + plane * rows * columns + min(max(r, 0), rows - 1) * columns
                  + min(max(c, 0), columns - 1)]
            }
            let (r, c) = (Int(atY.rounded(.down)), Int(atX.rounded(.down)))
            let (v, u) = (atY - Double(r), atX - Double(c))
            chroma[plane] =
              (sample(r, c) * (1 - u) + sample(r, c + 1) * u) * (1 - v)
              + (sample(r + 1, c) * (1 - u) + sample(r + 1, c + 1) * u) * v - scales.zero
          }
        }
        let luma = (planes[y * width + x] - scales.black) * 255 / scales.luma
        let (cb, cr) = (chroma[0] * 255 / scales.chroma, chroma[1] * 255 / scales.chroma)
        let r = luma + 2 * (1 - red) * cr
        let b = luma + 2 * (1 - blue) * cb
        let wanted = [r, (luma - red * r - blue * b) / (1 - red - blue), b]
        // Transparent pixels are drawn over white, which rounds once more.
        let alpha =
          layout.chroma == .fullWithAlpha ? planes[3 * width * height + y * width + x] / 255 : 1
        for channel in 0..<3 {
          let found = Double(image.pixels[(y * width + x) * 3 + channel])
          let color = min(max(wanted[channel], 0), 255) * alpha + 255 * (1 - alpha)
          worst = max(worst, abs(found - color))
        }
      }
    }
    #expect(worst <= (layout.chroma == .fullWithAlpha ? 1.02 : 0.52), "\(layout.tags)")
  }

  @Test("planes of each layout are written by their definition", arguments: layouts)
  func picturesAreWrittenByTheirDefinition(layout: PlanarLayout) {
    let (width, height) = (Self.size.width, Self.size.height)
    let pixels = (0..<width * height * 3).map { UInt8(($0 &* 2_654_435_761) >> 9 & 255) }
    let image = Image(height: height, width: width, pixels: pixels)
    let bytes = layout.planes(image)
    #expect(bytes.count == layout.bytes(of: Self.size))
    let planes = samples(bytes, layout)
    let scales = scales(layout)
    let (red, blue) = weights(layout.matrix)
    func color(_ y: Int, _ x: Int) -> (y: Double, b: Double, r: Double) {
      let at = (min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)) * 3
      let (r, g, b) = (Double(pixels[at]), Double(pixels[at + 1]), Double(pixels[at + 2]))
      let luma = red * r + (1 - red - blue) * g + blue * b
      return (luma, (b - luma) / (2 * (1 - blue)), (r - luma) / (2 * (1 - red)))
    }
    var worst = 0.0
    for y in 0..<height {
      for x in 0..<width {
        let wanted = scales.black + color(y, x).y * scales.luma / 255
        worst = max(worst, abs(planes[y * width + x] - wanted))
      }
    }
    if let steps = steps(layout) {
      let columns = (width + steps.across - 1) / steps.across
      let rows = (height + steps.down - 1) / steps.down
      func taps(_ step: Int, _ origin: Double) -> [(Int, Double)] {
        switch (step, origin) {
        case (1, _): [(0, 1)]
        case (2, 0): [(-1, 0.25), (0, 0.5), (1, 0.25)]
        default: (0..<step).map { ($0, 1 / Double(step)) }
        }
      }
      for row in 0..<rows {
        for column in 0..<columns {
          var (b, r) = (scales.zero, scales.zero)
          for (dy, v) in taps(steps.down, origin(layout).y) {
            for (dx, u) in taps(steps.across, origin(layout).x) {
              let value = color(row * steps.down + dy, column * steps.across + dx)
              b += value.b * u * v * scales.chroma / 255
              r += value.r * u * v * scales.chroma / 255
            }
          }
          let top = Double((1 << layout.bits) - 1)
          let at = width * height + row * columns + column
          worst = max(worst, abs(planes[at] - min(b, top)))
          worst = max(worst, abs(planes[at + rows * columns] - min(r, top)))
        }
      }
    }
    #expect(worst <= 0.51, "\(layout.tags)")
  }

  /// Sizes are not multiples of a vector's length.
  @Test("planes and pictures are equal on every instruction set", arguments: layouts)
  func bytesDoNotDependOnTheInstructionSet(layout: PlanarLayout) {
    for size in [
      PixelSize(width: 1, height: 1), PixelSize(width: 2, height: 3),
      PixelSize(width: 67, height: 5),
      PixelSize(width: 131, height: 4),
    ] {
      let pixels = (0..<size.width * size.height * 3).map {
        UInt8(($0 &* 2_654_435_761) >> 9 & 255)
      }
      let image = Image(height: size.height, width: size.width, pixels: pixels)
      let planes = layout.planes(image, isa: .baseline)
      for set in InstructionSet.supported {
        #expect(
          layout.planes(image, after: [7, 8], isa: set) == [7, 8] + planes, "\(set) \(size)")
        for interpolates in [false, true] {
          let expected = layout.image(
            planes, size: size, interpolatesChroma: interpolates, isa: .baseline)
          let found = layout.image(planes, size: size, interpolatesChroma: interpolates, isa: set)
          #expect(found == expected, "\(set) \(size)")
        }
      }
    }
  }

  @Test(
    "written frames are read back within 2 levels",
    arguments: [8, 10, 12], [ColorMatrix.bt601, .bt709])
  func roundTrip(bits: Int, matrix: ColorMatrix) throws {
    let pixels = (0..<Self.size.width * Self.size.height * 3).map {
      UInt8(($0 &* 40_503) >> 4 & 255)
    }
    let image = Image(height: Self.size.height, width: Self.size.width, pixels: pixels)
    for range in ColorRange.allCases {
      let layout = PlanarLayout(chroma: .full, bits: bits, matrix: matrix, range: range)
      let again = layout.image(layout.planes(image), size: Self.size)
      let most = zip(again.pixels, pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
      #expect(most <= (bits > 8 ? 0 : 2), "\(layout.tags)")
      let encoder = PictureFrameEncoder(storage: .y4m(layout), rate: Ratio(25, 1))
      var options = FrameReader.Options()
      options.interpolatesChroma = true
      let stream = encoder.header(size: Self.size) + (try encoder.frame(image))
      let read = try FrameReaderTests.frames(stream, options: options)
      #expect(read == [again])
    }
  }

  @Test("headers state siting, bits, matrix and range") func headersSaySitingAndBits() throws {
    for (name, siting, bits) in [
      ("420", Y4MHeader.Siting.center, 8), ("420jpeg", .center, 8), ("420mpeg2", .left, 8),
      ("420paldv", .topLeft, 8), ("420p10", .left, 10), ("444p12", .left, 12),
    ] {
      let header = try Y4MHeader(Array("YUV4MPEG2 W4 H4 C\(name)".utf8), file: "test")
      #expect(header.siting == siting && header.bits == bits)
    }
    for layout in Self.layouts where layout.chroma != .none {
      let line = Array("YUV4MPEG2 W13 H7 \(layout.opaque.tags)".utf8)
      let header = try Y4MHeader(line, file: "test")
      #expect(header.matrix == layout.matrix && header.range == layout.range)
      #expect(header.chroma == layout.opaque.chroma && header.bits == layout.bits)
    }
  }

  @Test(
    "written RGB, BGRA, PPM and Motion JPEG frames are read",
    arguments: [FrameStorage.rgb24, .bgra, .ppm, .mjpeg])
  func otherStreamsAreReadAgain(storage: FrameStorage) throws {
    let count: Int = 16 * 24 * 3
    let pixels: [UInt8] = (0..<count).map { (index: Int) -> UInt8 in
      let column: Int = (index / 3) % 24
      return UInt8(column * 8)
    }
    let image = Image(height: 16, width: 24, pixels: pixels)
    let encoder = PictureFrameEncoder(storage: storage, rate: Ratio(25, 1), quality: 100)
    let frame = try encoder.frame(image)
    let stream: [UInt8] = encoder.header(size: PixelSize(width: 24, height: 16)) + frame + frame
    var options = FrameReader.Options()
    if storage == .rgb24 || storage == .bgra {
      options.size = PixelSize(width: 24, height: 16)
      options.format = storage == .bgra ? .bgra : .rgb24
    }
    let read = try FrameReaderTests.frames(stream, options: options)
    #expect(read.count == 2)
    let most = zip(read[1].pixels, image.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
    #expect(most <= (storage == .mjpeg ? 3 : 0))
  }
}
