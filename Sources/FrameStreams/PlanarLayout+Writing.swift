package import DepthImages

extension PlanarLayout {
  /// A picture as planes of luma and chroma; a plane of alpha is opaque.
  ///
  /// Chroma of several pixels is their mean, in 4:2:0 by the weights 1 2 1 in directions in which samples lie at a
  /// pixel, in 4:2:2 across.
  ///
  /// - Returns: ``bytes(of:)`` bytes.
  package func planes(_ image: Image) -> [UInt8] {
    let (width, height) = (image.width, image.height)
    let size = PixelSize(width: width, height: height)
    let (chromaWidth, chromaHeight) = chromaSize(size)
    let area = width * height
    let total = bytes(of: size)
    let encoder = RGBConversion(matrix, range, bits: bits)
    let isWide = bits > 8
    let across = chroma.steps.map {
      ChromaWindow(step: $0.across, centered: chroma == .quarter && siting == .center)
    }
    let down = chroma.steps.map {
      ChromaWindow(step: $0.down, centered: siting != .topLeft)
    }
    return unsafe [UInt8](unsafeUninitializedCapacity: total) { out, count in
      func put(_ sample: Int32, _ index: Int) {
        if isWide {
          unsafe out[2 * index] = UInt8(truncatingIfNeeded: sample)
          unsafe out[2 * index + 1] = UInt8(truncatingIfNeeded: sample >> 8)
        } else {
          unsafe out[index] = UInt8(truncatingIfNeeded: sample)
        }
      }
      unsafe image.pixels.withUnsafeBufferPointer { pixels in
        for i in 0..<area {
          let (r, g, b) = unsafe (
            Int32(pixels[3 * i]), Int32(pixels[3 * i + 1]), Int32(pixels[3 * i + 2])
          )
          put(encoder.luma(r, g, b), i)
        }
        if let across, let down {
          var sums = [SIMD4<Int32>](repeating: .zero, count: width)
          for row in 0..<chromaHeight {
            // Red, green and blue of the rows, weighted; the weights of a window have the sum 4.
            for x in 0..<width { sums[x] = .zero }
            for (offset, weight) in down.taps {
              let y = min(max(row * down.step + offset, 0), height - 1)
              for x in 0..<width {
                let at = (y * width + x) * 3
                unsafe sums[x] &+=
                  SIMD4(Int32(pixels[at]), Int32(pixels[at + 1]), Int32(pixels[at + 2]), 0)
                  &* weight
              }
            }
            for column in 0..<chromaWidth {
              var sum = SIMD4<Int32>.zero
              for (offset, weight) in across.taps {
                let x = min(max(column * across.step + offset, 0), width - 1)
                sum &+= sums[x] &* weight
              }
              let (cb, cr) = encoder.chroma(sixteenths: sum)
              let at = area + row * chromaWidth + column
              put(cb, at)
              put(cr, at + chromaWidth * chromaHeight)
            }
          }
        }
        if chroma == .fullWithAlpha {
          for i in 0..<area { put((1 << Int32(bits)) - 1, 3 * area + i) }
        }
      }
      count = total
    }
  }
}

/// The rows or columns of pixels that a sample of chroma is the mean of.
private struct ChromaWindow {
  let step: Int
  /// Places from the sample's first pixel on, and weights of the sum 4.
  let taps: [(Int, Int32)]

  init(step: Int, centered: Bool) {
    self.step = step
    switch (step, centered) {
    case (1, _): taps = [(0, 4)]
    case (2, true): taps = [(0, 2), (1, 2)]
    case (2, false): taps = [(-1, 1), (0, 2), (1, 1)]
    default: taps = (0..<step).map { ($0, Int32(4 / step)) }
    }
  }
}

/// Red, green and blue of 8 bits to luma and chroma of any depth, rounded to the nearest.
private struct RGBConversion {
  private let red, green, blue: Int64
  private let black, top: Int32
  private let blueScale, redScale: Int64
  private let zero: Int64
  private static let one = Double(1 << 24)

  init(_ matrix: ColorMatrix, _ range: ColorRange, bits: Int) {
    let (kr, kb) = matrix.weights
    let deeper = Double(1 << (bits - 8))
    let (lumaRange, chromaRange) =
      range == .limited ? (219 * deeper, 224 * deeper) : (255 * deeper, 255 * deeper)
    let whole = range == .full ? Double((1 << bits) - 1) / (255 * deeper) : 1
    func fixed(_ value: Double) -> Int64 { Int64((value * Self.one).rounded()) }
    let luma = lumaRange * whole / 255
    (red, blue) = (fixed(kr * luma), fixed(kb * luma))
    // White is white to the bit.
    green = fixed(luma) - red - blue
    black = range == .limited ? 16 << Int32(bits - 8) : 0
    top = (1 << Int32(bits)) - 1
    let chroma = chromaRange * whole / 255
    blueScale = fixed(chroma / (2 * (1 - kb)))
    redScale = fixed(chroma / (2 * (1 - kr)))
    zero = Int64(128 << (bits - 8))
    (shares.red, shares.blue) = (fixed(kr), fixed(kb))
    shares.green = fixed(1) - shares.red - shares.blue
  }

  private var shares: (red: Int64, green: Int64, blue: Int64) = (0, 0, 0)

  @inline(__always)
  func luma(_ r: Int32, _ g: Int32, _ b: Int32) -> Int32 {
    let sum = red &* Int64(r) &+ green &* Int64(g) &+ blue &* Int64(b) &+ 1 << 23
    return Int32(truncatingIfNeeded: sum >> 24) &+ black
  }

  /// Samples of blue and red from sums of sixteen colors.
  @inline(__always)
  func chroma(sixteenths sum: SIMD4<Int32>) -> (Int32, Int32) {
    let (r, g, b) = (Int64(sum[0]), Int64(sum[1]), Int64(sum[2]))
    // In 2⁻¹² of a level.
    let light = (shares.red &* r &+ shares.green &* g &+ shares.blue &* b) >> 16
    func sample(_ color: Int64, _ scale: Int64) -> Int32 {
      let difference = (color << 8 &- light) &* scale
      let value = (difference &+ 1 << 35) >> 36 &+ zero
      return min(max(Int32(truncatingIfNeeded: value), 0), top)
    }
    return (sample(b, blueScale), sample(r, redScale))
  }
}
