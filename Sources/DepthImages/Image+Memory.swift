public import SystemEssentials

/// Pictures from memory, such as a camera's frame, a video decoder's buffer or another library's array.
extension Image {
  /// Creates a picture from an array of bytes.
  ///
  /// - Parameters:
  ///   - height: Rows, positive.
  ///   - width: Columns, positive.
  ///   - pixels: The bytes. Bytes after the last row are ignored. RGB without padding shares the array's storage, which is
  ///     copied only when the array changes. Other layouts are converted into new memory.
  ///   - format: The order and meaning of the bytes.
  ///   - bytesPerRow: The stride of rows in bytes; `nil` for rows without padding.
  ///   - limits: The largest accepted picture.
  /// - Throws: `DepthError` with code `invalidArgument` for too few bytes or overlapping rows, and with code `tooLarge` above
  ///   the limits.
  public init(
    height: Int, width: Int, pixels: [UInt8], format: PixelFormat, bytesPerRow: Int? = nil,
    limits: ImageLimits = ImageLimits()
  ) throws {
    let layout = try PixelLayout(
      height: height, width: width, format: format, bytesPerRow: bytesPerRow, count: pixels.count,
      limits: limits)
    unsafe self.init(
      height: height, width: width,
      pixels: layout.isImage(count: pixels.count)
        ? pixels : pixels.withUnsafeBytes { unsafe layout.rgb(from: $0) })
  }

  /// Copies a picture from `Data`. Parameters and errors are the same as for the array initializer.
  ///
  /// - Throws: `DepthError`.
  public init(
    height: Int, width: Int, pixels: Data, format: PixelFormat, bytesPerRow: Int? = nil,
    limits: ImageLimits = ImageLimits()
  ) throws {
    self = try unsafe pixels.withUnsafeBytes {
      try unsafe Image(
        height: height, width: width, pixels: $0, format: format, bytesPerRow: bytesPerRow,
        limits: limits)
    }
  }

  /// Copies a picture from a span. Parameters and errors are the same as for the array initializer.
  ///
  /// - Throws: `DepthError`.
  public init(
    height: Int, width: Int, pixels: Span<UInt8>, format: PixelFormat, bytesPerRow: Int? = nil,
    limits: ImageLimits = ImageLimits()
  ) throws {
    self = try unsafe pixels.withUnsafeBytes {
      try unsafe Image(
        height: height, width: width, pixels: $0, format: format, bytesPerRow: bytesPerRow,
        limits: limits)
    }
  }

  /// Copies a picture from raw memory, which may be reused afterwards. Parameters and errors are the same as for the array
  /// initializer.
  ///
  /// - Throws: `DepthError`.
  public init(
    height: Int, width: Int, pixels: UnsafeRawBufferPointer, format: PixelFormat,
    bytesPerRow: Int? = nil, limits: ImageLimits = ImageLimits()
  ) throws {
    let layout = try PixelLayout(
      height: height, width: width, format: format, bytesPerRow: bytesPerRow, count: pixels.count,
      limits: limits)
    unsafe self.init(height: height, width: width, pixels: layout.rgb(from: pixels))
  }

  /// Copies an NV12 picture from two separate planes, as video decoders and camera drivers provide it.
  ///
  /// Each pixel takes the chroma of its 2 × 2 block, without interpolation.
  ///
  /// - Parameters:
  ///   - height: Rows, positive.
  ///   - width: Columns, positive.
  ///   - luma: `height` rows of `width` bytes.
  ///   - lumaBytesPerRow: The stride of luma rows in bytes; `nil` for rows without padding.
  ///   - chroma: `⌈height / 2⌉` rows of `⌈width / 2⌉` pairs of Cb and Cr.
  ///   - chromaBytesPerRow: The stride of chroma rows in bytes; `nil` for rows without padding.
  ///   - encoding: The color matrix and the range of the bytes.
  ///   - limits: The largest accepted picture.
  /// - Throws: `DepthError`, for the same reasons as the other initializers.
  public init(
    height: Int, width: Int, luma: UnsafeRawBufferPointer, lumaBytesPerRow: Int? = nil,
    chroma: UnsafeRawBufferPointer, chromaBytesPerRow: Int? = nil, encoding: YCbCrEncoding,
    limits: ImageLimits = ImageLimits()
  ) throws {
    let upper = try PixelLayout(
      height: height, width: width, format: .gray, bytesPerRow: lumaBytesPerRow,
      count: luma.count, limits: limits)
    // Rows of chroma pairs have the layout of as many gray pixels.
    let lower = try PixelLayout(
      height: (height + 1) / 2, width: (width + 1) / 2 * 2, format: .gray,
      bytesPerRow: chromaBytesPerRow, count: chroma.count, limits: ImageLimits())
    unsafe self.init(
      height: height, width: width,
      pixels: rgb(
        luma: luma, bytesPerRow: upper.bytesPerRow, chroma: chroma,
        bytesPerRow: lower.bytesPerRow, height: height, width: width, matrix: encoding.matrix))
  }
}
