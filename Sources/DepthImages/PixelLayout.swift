import DepthErrors

/// The sizes of a picture in memory, checked against its number of bytes.
struct PixelLayout {
  let height, width: Int
  let format: PixelFormat
  /// The stride of rows in bytes.
  let bytesPerRow: Int

  /// - Throws: `DepthError` with code `invalidArgument` or `tooLarge`.
  init(
    height: Int, width: Int, format: PixelFormat, bytesPerRow: Int?, count: Int,
    limits: ImageLimits
  ) throws {
    let sides = 1...Self.largestSide
    try width.checked(in: sides, "the width of the picture", "1 to \(Self.largestSide) pixels")
    try height.checked(in: sides, "the height of the picture", "1 to \(Self.largestSide) pixels")
    try limits.check(width: width, height: height, file: "the picture in memory")
    let least = format.bytesPerRow(width: width)
    let bytesPerRow = bytesPerRow ?? least
    try bytesPerRow.checked(
      in: least...Self.largestRow, "the number of bytes per row",
      "\(least) to \(Self.largestRow) for \(width) \(format.rawValue) pixels")
    // The last row needs no padding.
    let needed = (format.rows(height: height) - 1) * bytesPerRow + least
    guard count >= needed else {
      throw DepthError.invalidArgument(
        name: "the number of bytes of the picture", found: "\(count)",
        expected: "at least \(needed) for \(width)×\(height) \(format.rawValue) pixels, "
          + "\(bytesPerRow) bytes per row")
    }
    (self.height, self.width, self.format, self.bytesPerRow) = (height, width, format, bytesPerRow)
  }

  /// A bound that exceeds the sides of all pictures. Products of two sides fit in 64 bits.
  private static let largestSide = 1 << 24
  private static let largestRow = 1 << 32

  /// Returns whether an array of `count` such bytes has the layout of an ``Image``.
  func isImage(count: Int) -> Bool {
    format == .rgb && bytesPerRow == 3 * width && count == 3 * width * height
  }

  /// The picture as RGB without padding.
  func rgb(from bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let source = unsafe bytes.assumingMemoryBound(to: UInt8.self)
    if case .nv12(let encoding) = format {
      return unsafe DepthImages.rgb(
        luma: bytes, bytesPerRow: bytesPerRow,
        chroma: UnsafeRawBufferPointer(rebasing: bytes[(height * bytesPerRow)...]),
        bytesPerRow: bytesPerRow, height: height, width: width, matrix: encoding.matrix)
    }
    return unsafe [UInt8](unsafeUninitializedCapacity: 3 * width * height) { out, count in
      for y in 0..<height {
        let row = unsafe source.baseAddress! + y * bytesPerRow
        let to = unsafe out.baseAddress! + y * width * 3
        switch format {
        case .rgb: unsafe to.initialize(from: row, count: 3 * width)
        case .rgba: unsafe copy(row, to, channels: (0, 1, 2), pixelBytes: 4)
        case .bgra: unsafe copy(row, to, channels: (2, 1, 0), pixelBytes: 4)
        case .gray, .nv12: unsafe copy(row, to, channels: (0, 0, 0), pixelBytes: 1)
        }
      }
      count = 3 * width * height
    }
  }

  @inline(__always)
  private func copy(
    _ row: UnsafePointer<UInt8>, _ to: UnsafeMutablePointer<UInt8>, channels: (Int, Int, Int),
    pixelBytes: Int
  ) {
    for x in 0..<width {
      unsafe to[3 &* x] = unsafe row[pixelBytes &* x &+ channels.0]
      unsafe to[3 &* x &+ 1] = unsafe row[pixelBytes &* x &+ channels.1]
      unsafe to[3 &* x &+ 2] = unsafe row[pixelBytes &* x &+ channels.2]
    }
  }
}

/// Converts two planes to RGB: luma, and pairs of Cb and Cr at half the size.
///
/// - Precondition: the planes have that many rows.
func rgb(
  luma: UnsafeRawBufferPointer, bytesPerRow lumaStride: Int, chroma: UnsafeRawBufferPointer,
  bytesPerRow chromaStride: Int, height: Int, width: Int, matrix: YCbCrMatrix
) -> [UInt8] {
  let (luma, chroma) = unsafe (
    luma.assumingMemoryBound(to: UInt8.self), chroma.assumingMemoryBound(to: UInt8.self)
  )
  return unsafe [UInt8](unsafeUninitializedCapacity: 3 * width * height) { out, count in
    for y in 0..<height {
      let (from, pairs) = unsafe (
        luma.baseAddress! + y * lumaStride, chroma.baseAddress! + y / 2 * chromaStride
      )
      let to = unsafe out.baseAddress! + y * width * 3
      for x in 0..<width {
        let pair = unsafe pairs + (x & ~1)
        unsafe (to[3 &* x], to[3 &* x &+ 1], to[3 &* x &+ 2]) = unsafe matrix.rgb(
          from[x], pair[0], pair[1])
      }
    }
    count = 3 * width * height
  }
}
