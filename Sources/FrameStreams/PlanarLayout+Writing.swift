import CDepthSIMD
package import DepthBase
package import DepthImages

extension PlanarLayout {
  /// Converts a picture to planes of luma and chroma, with opaque alpha if there is an alpha plane.
  ///
  /// A chroma sample is the mean of its pixels. The weights 1 2 1 apply in 4:2:0 along axes where samples are at a
  /// pixel, and in 4:2:2 across.
  ///
  /// - Parameter header: Bytes to prepend to the planes.
  /// - Returns: The header, and ``bytes(of:)`` bytes.
  package func planes(
    _ image: Image, after header: [UInt8] = [], isa: InstructionSet = .current
  ) -> [UInt8] {
    let size = PixelSize(width: image.width, height: image.height)
    return filledArray(count: header.count + bytes(of: size)) { out in
      out.update(from: header.span)
      out.withPart(header.count..<out.count) { write(image, size, PlaneKernels(isa), into: &$0) }
    }
  }

  private func write(
    _ image: Image, _ size: PixelSize, _ kernels: PlaneKernels,
    into planes: inout MutableSpan<UInt8>
  ) {
    let width = size.width
    let rows = SampleRows(self, size)
    let pixels = image.pixels
    let conversion = ck_rgb_to_planes(matrix, range, bits: bits)
    for y in 0..<size.height {
      planes.withPart(rows.bytes(ofRow: y)) {
        kernels.lumaRow(
          conversion, pixels.span.extracting(3 * width * y..<3 * width * (y + 1)), into: &$0)
      }
    }
    guard let steps else { return }
    let across = ChromaWindow(
      step: steps.across, centered: chroma == .quarter && siting == .center)
    let down = ChromaWindow(step: steps.down, centered: siting != .topLeft)
    var sums = ColorSums(width: width)
    // In all rows, the red plane has the same offset from the blue plane.
    let plane =
      rows.bytes(ofRow: 0, chroma: 1).lowerBound - rows.bytes(ofRow: 0, chroma: 0).lowerBound
    for row in 0..<rows.chroma.height {
      let taken = down.taps.map { tap in
        let y = min(max(row * down.step + tap.offset, 0), size.height - 1)
        return (first: 3 * width * y, weight: tap.weight)
      }
      kernels.colorSums(taken, of: pixels.span, width: width, into: &sums)
      let blue = rows.bytes(ofRow: row, chroma: 0)
      planes.withPart(blue.lowerBound..<blue.upperBound + plane) { both in
        both.withEnds(of: blue.count) {
          kernels.chromaRow(conversion, across, sums, blue: &$0, red: &$1)
        }
      }
    }
    if chroma == .fullWithAlpha {
      let opaque = (1 << bits) - 1
      let first = rows.bytes(ofRow: rows.chroma.height, chroma: 1).lowerBound
      for place in first..<planes.count {
        let isHigh = bits > 8 && (place - first) % 2 == 1
        planes[place] = UInt8(truncatingIfNeeded: isHigh ? opaque >> 8 : opaque)
      }
    }
  }
}

/// The rows or columns of pixels that contribute to a chroma sample.
struct ChromaWindow {
  let step: Int
  /// Offset of the first row or column from the sample's first pixel.
  let first: Int
  /// Four weights with a sum of 4.
  let weights: [Int32]

  init(step: Int, centered: Bool) {
    self.step = step
    (first, weights) =
      switch (step, centered) {
      case (1, _): (0, [4, 0, 0, 0])
      case (2, true): (0, [2, 2, 0, 0])
      case (2, false): (-1, [1, 2, 1, 0])
      default: (0, [1, 1, 1, 1])
      }
  }

  /// The taps with nonzero weights.
  var taps: [(offset: Int, weight: Int32)] {
    weights.indices.filter { weights[$0] > 0 }.map { (first + $0, weights[$0]) }
  }
}

extension ck_rgb_to_planes {
  /// Factors for samples of any bit depth, rounded to the nearest.
  fileprivate init(_ matrix: ColorMatrix, _ range: ColorRange, bits: Int) {
    let (kr, kb) = matrix.weights
    let deeper = Double(1 << (bits - 8))
    let (lumaRange, chromaRange) =
      range == .limited ? (219 * deeper, 224 * deeper) : (255 * deeper, 255 * deeper)
    let whole = range == .full ? Double((1 << bits) - 1) / (255 * deeper) : 1
    func fixed(_ value: Double) -> Int64 { Int64((value * Double(1 << 24)).rounded()) }
    let luma = lumaRange * whole / 255
    let chroma = chromaRange * whole / 255
    let (red, blue) = (fixed(kr * luma), fixed(kb * luma))
    let (lightRed, lightBlue) = (fixed(kr), fixed(kb))
    // The factor of green is the remainder, so that white stays exactly white.
    self.init(
      wide: bits > 8, black: range == .limited ? 16 << Int32(bits - 8) : 0,
      zero: 128 << Int32(bits - 8), top: (1 << Int32(bits)) - 1, red: red,
      green: fixed(luma) - red - blue, blue: blue, light_red: lightRed,
      light_green: fixed(1) - lightRed - lightBlue, light_blue: lightBlue,
      blue_scale: Int32(fixed(chroma / (2 * (1 - kb)))),
      red_scale: Int32(fixed(chroma / (2 * (1 - kr)))))
  }
}

/// Sums of a row's colors, extended beyond both ends by copies of the first and last pixels.
struct ColorSums {
  /// Elements before a row's first pixel and after the last pixel, within reach of a window.
  private static let (before, after) = (1, 4)
  let width: Int
  /// The sums of red, followed by the sums of green and of blue.
  private var sums: [Int32]
  /// Elements per color.
  private var stride: Int { Self.before + width + Self.after }

  init(width: Int) {
    self.width = width
    sums = [Int32](repeating: 0, count: 3 * (Self.before + width + Self.after))
  }

  mutating func repeatEnds() {
    for color in 0..<3 {
      let first = color * stride + Self.before
      for x in first - Self.before..<first { sums[x] = sums[first] }
      for x in first + width..<first + width + Self.after { sums[x] = sums[first + width - 1] }
    }
  }

  mutating func withPointers(
    _ body: (
      UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>
    ) -> Void
  ) {
    let stride = stride
    var sums = sums.mutableSpan
    unsafe sums.withPointer { start in
      let red = unsafe start + Self.before
      unsafe body(red, red + stride, red + 2 * stride)
    }
  }

  /// - Parameter first: The first column, −1 or 0.
  func withPointers(
    from first: Int,
    _ body: (UnsafePointer<Int32>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> Void
  ) {
    precondition(first >= -Self.before && first <= 0)
    unsafe sums.span.withPointer { start in
      let red = unsafe start + Self.before + first
      unsafe body(red, red + stride, red + 2 * stride)
    }
  }
}
