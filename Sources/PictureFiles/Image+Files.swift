package import DepthBase
public import DepthImages
public import SystemEssentials

extension Image {
  /// Reads a JPEG, PNG, HEIC, WebP or AVIF photo as an upright picture of 8 bits. The content determines the format.
  ///
  /// All eight Exif orientations are applied. JPEGs may be gray, color, progressive, CMYK or YCCK; a color
  /// profile is kept in the metadata, not applied. PNGs may have 1 to 16 bits, a palette, gray or color; transparent pixels are drawn
  /// over white, and values with a `gAMA` chunk but without `iCCP` and `sRGB` are converted to sRGB.
  ///
  /// Pictures of high dynamic range (PQ, HLG) and of wide gamut that say so by code points, a box `nclx` or a chunk `cICP`, are converted
  /// to sRGB: light up to 0.8 of reference white stays as it is, brighter light is compressed.
  ///
  /// HEIC and AVIF are decoded by libheif, WebP by libwebp, in a child process. The libraries are loaded when the first such photo
  /// comes; where they are not installed, the error names their package. An animation gives its first frame.
  ///
  /// - Parameters:
  ///   - url: A file, a named pipe or `/dev/stdin`.
  ///   - limits: The largest photo that is read.
  /// - Throws: `DepthError`, also if only the last pixels of the file are missing. The end marker of a JPEG and the last chunk of a PNG may
  ///   be missing.
  public init(
    contentsOf url: URL, limits: ImageLimits = ImageLimits()
  ) throws {
    self = try PhotoFile(contentsOf: url, limits: limits).image()
  }

  /// Decodes a photo held in memory; errors call it `name`.
  ///
  /// - Throws: `DepthError`; see ``init(contentsOf:limits:)``.
  public init(
    decoding bytes: [UInt8], name: String = "the photo", limits: ImageLimits = ImageLimits()
  ) throws {
    self = try PhotoFile(decoding: bytes, name: name, limits: limits)
      .image()
  }

  /// Decodes a photo held in memory, such as the body of a request; errors call it `name`.
  ///
  /// - Throws: `DepthError`; see ``init(contentsOf:limits:)``.
  public init(
    decoding data: Data, name: String = "the photo", limits: ImageLimits = ImageLimits()
  ) throws {
    try self.init(decoding: [UInt8](data), name: name, limits: limits)
  }

  /// Writes a JPEG or PNG atomically, in the format of the file's extension.
  ///
  /// The file gets the photo's color profile and its Exif block, whose orientation is set to upright.
  ///
  /// - Parameters:
  ///   - url: Ends in `.jpg`, `.jpeg` or `.png`.
  ///   - quality: JPEG quality, 1…100.
  ///   - chroma: JPEG color detail.
  ///   - compression: How much time compressing a PNG may take.
  ///   - overwrite: Whether a file of that name may be replaced.
  /// - Throws: `DepthError`; no partial file is left.
  public func write(
    to url: URL, quality: Int = ImageFileFormat.defaultQuality,
    chroma: ChromaSubsampling = .quarter,
    compression: PNGCompression = .default, overwrite: Bool = true
  ) throws {
    let format = try ImageFileFormat(extensionOf: url, quality: quality, chroma: chroma)
    try AtomicFile.write(
      encoded(as: format, compression: compression), to: url, overwrite: overwrite)
  }

  /// The bytes of a file in this format, for example for standard output or another container.
  ///
  /// - Parameters:
  ///   - format: Format of the file. PNG is compressed by several threads, JPEG by one.
  ///   - compression: How much time compressing a PNG may take.
  /// - Throws: `DepthError` with code `unsupportedFormat` if the picture is too large for the
  ///   format or a JPEG's quality is not 1…100.
  public func encoded(
    as format: ImageFileFormat, compression: PNGCompression = .default
  ) throws -> [UInt8] {
    try encoded(
      as: format, compression: compression, call: CallContext(threads: ThreadCount.checked(nil)))
  }

  /// The bytes of a PNG with an alpha channel. What is transparent is black, so that nothing of the photo stays in it.
  ///
  /// - Parameters:
  ///   - alpha: `height · width` samples, row 0 at the top; 255 is opaque.
  ///   - call: Is cancelled between strips.
  /// - Throws: `DepthError` if the picture is too large for the format; `CancellationError`.
  package func encodedPNG(
    alpha: [UInt8], compression: PNGCompression = .default, call: CallContext
  ) throws -> [UInt8] {
    try call.cancellation?.check()
    return try PNGEncoder.bytes(
      of: self, alpha: alpha, compression: compression, threads: call.threads,
      cancellation: call.cancellation)
  }

  /// - Parameter call: Is cancelled between strips of a PNG.
  package func encoded(
    as format: ImageFileFormat, compression: PNGCompression = .default, call: CallContext
  ) throws -> [UInt8] {
    try call.cancellation?.check()
    return switch format {
    case .png:
      try PNGEncoder.bytes(
        of: self, compression: compression, threads: call.threads, cancellation: call.cancellation)
    case .jpeg(let quality, let chroma):
      try JPEGEncoder.bytes(of: self, quality: quality, chroma: chroma)
    }
  }
}
