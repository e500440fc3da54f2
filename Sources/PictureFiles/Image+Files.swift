package import DepthBase
public import DepthImages
public import SystemEssentials

extension Image {
  /// Reads a JPEG, PNG, HEIC, WebP or AVIF photo as an upright picture of 8 bits. The content determines the format.
  ///
  /// All eight Exif orientations are applied. JPEGs may be gray, color, progressive, CMYK or YCCK. A color profile is stored in
  /// the metadata, not applied. PNGs may have 1 to 16 bits, a palette, gray or color. Transparent pixels are drawn over white.
  /// If a PNG has `gAMA` but neither `iCCP` nor `sRGB`, its values are converted to sRGB.
  ///
  /// A picture of high dynamic range (PQ, HLG) or wide gamut, as marked by a box `nclx` or a chunk `cICP`, is converted to
  /// sRGB. Light up to 0.8 of reference white is unchanged, and brighter light is compressed.
  ///
  /// A child process decodes HEIC and AVIF by libheif, and WebP by libwebp. The libraries are loaded on first use. If a library
  /// is missing, the error names its package. Only the first frame of an animation is read.
  ///
  /// - Parameters:
  ///   - url: A file, a named pipe or `/dev/stdin`.
  ///   - limits: The largest accepted photo.
  /// - Throws: `DepthError`, even if only the last pixels of the file are missing. A file that lacks only a JPEG's end marker
  ///   or a PNG's last chunk is accepted.
  public init(
    contentsOf url: URL, limits: ImageLimits = ImageLimits()
  ) throws {
    self = try PhotoFile(contentsOf: url, limits: limits).image()
  }

  /// Decodes a photo in memory, called `name` in errors.
  ///
  /// - Throws: `DepthError`; see ``init(contentsOf:limits:)``.
  public init(
    decoding bytes: [UInt8], name: String = "the photo", limits: ImageLimits = ImageLimits()
  ) throws {
    self = try PhotoFile(decoding: bytes, name: name, limits: limits)
      .image()
  }

  /// Decodes a photo in memory, such as the body of a request, called `name` in errors.
  ///
  /// - Throws: `DepthError`; see ``init(contentsOf:limits:)``.
  public init(
    decoding data: Data, name: String = "the photo", limits: ImageLimits = ImageLimits()
  ) throws {
    try self.init(decoding: [UInt8](data), name: name, limits: limits)
  }

  /// Writes a JPEG or PNG atomically, in the format of the file's extension.
  ///
  /// The photo's color profile and Exif block are included, with an upright orientation.
  ///
  /// - Parameters:
  ///   - url: Ends in `.jpg`, `.jpeg` or `.png`.
  ///   - quality: JPEG quality, 1…100.
  ///   - chroma: Color resolution of a JPEG.
  ///   - compression: Speed and size of a PNG's compression.
  ///   - overwrite: Whether an existing file may be replaced.
  /// - Throws: `DepthError`. No partial file is left.
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
  ///   - compression: Speed and size of a PNG's compression.
  /// - Throws: `DepthError` with code `unsupportedFormat` if the picture is too large for the
  ///   format or a JPEG's quality is not 1…100.
  public func encoded(
    as format: ImageFileFormat, compression: PNGCompression = .default
  ) throws -> [UInt8] {
    try encoded(
      as: format, compression: compression, call: CallContext(threads: ThreadCount.checked(nil)))
  }

  /// The bytes of a PNG with an alpha channel. Transparent pixels are black, so that they do not reveal the photo.
  ///
  /// - Parameters:
  ///   - alpha: `height · width` samples, row 0 at the top; 255 is opaque.
  ///   - call: Can be cancelled between strips.
  /// - Throws: `DepthError` if the picture is too large for the format; `CancellationError`.
  package func encodedPNG(
    alpha: [UInt8], compression: PNGCompression = .default, call: CallContext
  ) throws -> [UInt8] {
    try call.cancellation?.check()
    return try PNGEncoder.bytes(
      of: self, alpha: alpha, compression: compression, threads: call.threads,
      cancellation: call.cancellation)
  }

  /// - Parameter call: Can be cancelled between strips of a PNG.
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
