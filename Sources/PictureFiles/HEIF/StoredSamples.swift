import DepthBase

/// The samples of a photo as stored, in the full range of their bit depth.
struct StoredSamples {
  /// `count × channels` samples: gray, gray and opacity, RGB, or RGB and opacity.
  let samples: [UInt16]
  let channels, bits: Int
  let isPremultiplied: Bool
  /// Whether black is 16 and white is 235 in 8 bits; only for monochrome pictures.
  let isLimited: Bool

  /// - Parameters:
  ///   - bytes: The samples: one byte each for at most 8 bits, otherwise two bytes, little-endian.
  ///   - opacity: Opacity of a gray picture.
  ///   - count: Number of pixels.
  /// - Returns: `nil` if the number of bytes does not fit the pixels.
  init?(
    _ bytes: [UInt8], opacity: [UInt8]?, count: Int, channels: Int, bits: Int,
    isPremultiplied: Bool, isLimited: Bool
  ) {
    guard (8...16).contains(bits), [1, 3, 4].contains(channels) else { return nil }
    let size = bits > 8 ? 2 : 1
    guard bytes.count == count * channels * size, opacity.map({ $0.count == count * size }) ?? true
    else { return nil }
    let colors = Self.numbers(bytes, size: size)
    if let opacity, channels == 1 {
      let opacities = Self.numbers(opacity, size: size)
      samples = filledArray(count: 2 * count) { out in
        for index in 0..<count {
          (out[2 * index], out[2 * index + 1]) = (colors[index], opacities[index])
        }
      }
      self.channels = 2
    } else {
      (samples, self.channels) = (colors, channels)
    }
    (self.bits, self.isPremultiplied, self.isLimited) = (bits, isPremultiplied, isLimited)
  }

  private static func numbers(_ bytes: [UInt8], size: Int) -> [UInt16] {
    filledArray(count: bytes.count / size) { out in
      let bytes = bytes.span
      for index in 0..<out.count {
        out[index] =
          size == 1
          ? UInt16(bytes[index])
          : UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8
      }
    }
  }

  /// sRGB bytes of samples with a known coding.
  func bytes(convertedFrom coding: ColorCoding) -> [UInt8] {
    var coding = coding
    coding.isFullRange = !isLimited
    let rgb = channels > 2 ? samples : samplesOfGray
    return coding.conversion(bits: bits).bytes(
      of: rgb, channels: channels % 2 == 0 ? 4 : 3, isPremultiplied: isPremultiplied)
  }

  /// Gray as red, green and blue.
  private var samplesOfGray: [UInt16] {
    let target = channels + 2
    return filledArray(count: samples.count / channels * target) { out in
      var from = 0
      for to in stride(from: 0, to: out.count, by: target) {
        for channel in 0..<3 { out[to + channel] = samples[from] }
        if channels == 2 { out[to + 3] = samples[from + 1] }
        from += channels
      }
    }
  }

  /// RGB bytes of a monochrome picture. Transparent pixels are drawn over white.
  var bytes: [UInt8] {
    let shift = bits - 8
    // The full range keeps the most significant bits. The limited range is stretched, so that black
    // is 0 and white is 255.
    let table = (0..<1 << bits).map { number -> UInt8 in
      guard isLimited else { return UInt8(number >> shift) }
      let value = Double(number - 16 << shift) * 255 / Double(219 << shift)
      return UInt8(min(255, max(0, value.rounded())))
    }
    let last = table.count - 1
    // Decoders return some monochrome pictures as three equal channels.
    let colors = channels > 2 ? 3 : 1
    return filledArray(count: samples.count / channels * 3) { out in
      let samples = samples.span
      let table = table.span
      var from = 0
      for to in stride(from: 0, to: out.count, by: 3) {
        let opacity = colors < channels ? min(Int(samples[from + colors]) >> shift, 255) : 255
        for channel in 0..<3 {
          let byte = table[min(Int(samples[from + (colors == 3 ? channel : 0)]), last)]
          let light = isPremultiplied ? Int(byte) : (Int(byte) * opacity + 127) / 255
          out[to + channel] = UInt8(min(255, light + 255 - opacity))
        }
        from += channels
      }
    }
  }
}
