import CDepthSIMD
package import DepthBase
package import DepthImages
package import PictureFiles

/// Decoding of pictures with high dynamic range.
extension PlanarLayout {
  /// Bits of RGB before the conversion to sRGB, more than the bits of any frame, so that no level is lost.
  package static let deepBits = 14

  /// Converts planes with high dynamic range to 8-bit sRGB, with the tone curve of photos.
  ///
  /// - Parameters:
  ///   - planes: ``bytes(of:)`` bytes.
  ///   - conversion: Converts numbers with ``deepBits`` bits.
  package func image(
    _ planes: [UInt8], size: PixelSize, by conversion: ColorConversion,
    isa: InstructionSet = .current
  ) -> Image {
    let factors = DeepFactors(self)
    let channels = chroma == .fullWithAlpha ? 4 : 3
    let alpha = alphaStart(of: size)
    let numbers: [UInt16] = colors(
      planes, size, channels: channels, ck_planes_to_rgb(matrix, range, bits: bits),
      PlaneKernels(isa), interpolatesChroma: true
    ) { y, luma, blue, red, numbers in
      factors.convert(luma, blue, red, channels: channels, into: &numbers)
      guard channels == 4 else { return }
      for x in 0..<size.width {
        // Alpha is rescaled from 0…255 to the range of the colors.
        numbers[4 * x + 3] = UInt16(
          (Int(planes[alpha + y * size.width + x]) * DeepFactors.largest + 127) / 255)
      }
    }
    return Image(
      height: size.height, width: size.width,
      pixels: conversion.bytes(of: numbers, channels: channels))
  }
}

/// Factors from samples to RGB with ``PlanarLayout/deepBits`` bits.
private struct DeepFactors {
  private let isWide: Bool
  private let black: Int32
  private let luma, redFromCr, greenFromCb, greenFromCr, blueFromCb: Float

  static let largest = 1 << PlanarLayout.deepBits - 1

  init(_ layout: PlanarLayout) {
    let factors = ColorFactors(layout.matrix, layout.range)
    let deeper = layout.bits - 8
    // Factors are for 8-bit samples and yield 0…255.
    let unit =
      layout.range == .full ? 1 / Double(1 << layout.bits - 1) : 1 / Double(255 << deeper)
    let scale = unit * Double(Self.largest)
    isWide = layout.bits > 8
    black = layout.range == .limited ? 16 << Int32(deeper) : 0
    luma = Float(factors.luma * scale)
    func sixteenth(_ factor: Double) -> Float { Float(factor * scale / 16) }
    (redFromCr, greenFromCb) = (sixteenth(factors.redFromCr), sixteenth(factors.greenFromCb))
    (greenFromCr, blueFromCb) = (sixteenth(factors.greenFromCr), sixteenth(factors.blueFromCb))
  }

  func convert(
    _ luma: Span<UInt8>, _ blue: [Int32], _ red: [Int32], channels: Int,
    into numbers: inout MutableSpan<UInt16>
  ) {
    let (blues, reds) = (blue.span, red.span)
    for x in 0..<numbers.count / channels {
      let sample = isWide ? Int32(luma[2 * x]) | Int32(luma[2 * x + 1]) << 8 : Int32(luma[x])
      let light = Float(sample - black) * self.luma
      let (blue, red) = (Float(blues[x]), Float(reds[x]))
      let place = channels * x
      numbers[place] = Self.number(light + redFromCr * red)
      numbers[place + 1] = Self.number(light + greenFromCb * blue + greenFromCr * red)
      numbers[place + 2] = Self.number(light + blueFromCb * blue)
    }
  }

  @inline(__always)
  private static func number(_ value: Float) -> UInt16 {
    UInt16(min(max(value, 0), Float(largest)) + 0.5)
  }
}
