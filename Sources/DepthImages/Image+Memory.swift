public import SystemEssentials

/// Pictures from memory: a camera's frame, a video decoder's buffer, another library's array.
extension Image {
  /// Takes a picture out of an array.
  ///
  /// - Parameters:
  ///   - height: Rows, positive.
  ///   - width: Columns, positive.
  ///   - pixels: The bytes; more than the layout needs are ignored. RGB without padding is kept as
  ///     it is: nothing is copied, and changing the array later copies it then. Every other layout is
  ///     converted into new bytes.
  ///   - format: What the bytes mean.
  ///   - bytesPerRow: The distance of two rows in bytes; `nil` for rows without padding.
  ///   - limits: The largest picture that is taken.
  /// - Throws: `DepthError` with code `invalidArgument` when the bytes are too few for the layout or
  ///   rows overlap, and `tooLarge` above the limits.
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

  /// Copies a picture out of `Data`, as the initializer
  /// for an array of bytes does.
  ///
  /// - Throws: `DepthError` as that.
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

  /// Copies a picture out of a span, as the initializer
  /// for an array of bytes does.
  ///
  /// - Throws: `DepthError` as that.
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

  /// Copies a picture out of raw memory, which may be reused afterwards, as the initializer
  /// for an array of bytes does.
  ///
  /// - Throws: `DepthError` as that.
  public init(
    height: Int, width: Int, pixels: UnsafeRawBufferPointer, format: PixelFormat,
    bytesPerRow: Int? = nil, limits: ImageLimits = ImageLimits()
  ) throws {
    let layout = try PixelLayout(
      height: height, width: width, format: format, bytesPerRow: bytesPerRow, count: pixels.count,
      limits: limits)
    unsafe self.init(height: height, width: width, pixels: layout.rgb(from: pixels))
  }

  /// Copies an NV12 picture out of two planes, as video decoders and camera drivers give them.
  ///
  /// Every luma pixel takes the chroma of its 2 × 2 block, without interpolation.
  ///
  /// - Parameters:
  ///   - height: Rows, positive.
  ///   - width: Columns, positive.
  ///   - luma: `height` rows of `width` bytes.
  ///   - lumaBytesPerRow: The distance of two luma rows in bytes; `nil` for rows without padding.
  ///   - chroma: `⌈height / 2⌉` rows of `⌈width / 2⌉` pairs of Cb and Cr.
  ///   - chromaBytesPerRow: The distance of two chroma rows in bytes; `nil` for rows without padding.
  ///   - encoding: The matrix and range of the bytes.
  ///   - limits: The largest picture that is taken.
  /// - Throws: `DepthError` as the other initializers.
  public init(
    height: Int, width: Int, luma: UnsafeRawBufferPointer, lumaBytesPerRow: Int? = nil,
    chroma: UnsafeRawBufferPointer, chromaBytesPerRow: Int? = nil, encoding: YCbCrEncoding,
    limits: ImageLimits = ImageLimits()
  ) throws {
    let upper = try PixelLayout(
      height: height, width: width, format: .gray, bytesPerRow: lumaBytesPerRow,
      count: luma.count, limits: limits)
    // Pairs of bytes in rows: as many bytes as that many gray pixels.
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
