import DepthBase
import DepthErrors
package import DepthImages
package import SystemEssentials

/// A JPEG, PNG, HEIC, WebP or AVIF file with a parsed header, so that its size is known before decoding.
package struct PhotoFile: Sendable {
  /// The extensions of photo files, in lower case.
  package static let extensions: Set = [
    "jpg", "jpeg", "jfif", "jpe", "mpo", "png", "heic", "heif", "hif", "webp", "avif",
  ]

  /// The file's name in errors.
  package let name: String
  package let bytes: [UInt8]
  let header: Header
  private let limits: ImageLimits

  enum Header {
    case jpeg(JPEGHeader)
    case png(PNGChunks)
    case heif(HEIFHeader)
    case webp(WebPHeader)
  }

  /// Reads a file, a named pipe or `/dev/stdin`, and parses its header.
  ///
  /// If the first bytes are not those of a photo, the initializer throws without reading the rest.
  ///
  /// - Throws: `DepthError`.
  package init(contentsOf url: URL, limits: ImageLimits = ImageLimits()) throws {
    let bytes = try InputFile.bytes(of: url) { try Self.requirePhoto($0, name: $1) }
    try self.init(decoding: bytes, name: url.relativePath, limits: limits)
  }

  /// Parses the header of a file in memory, called `name` in errors.
  ///
  /// - Throws: `DepthError`.
  package init(decoding bytes: [UInt8], name: String, limits: ImageLimits = ImageLimits()) throws {
    try Self.requirePhoto(bytes, name: name)
    (self.name, self.bytes, self.limits) = (name, bytes, limits)
    header =
      switch FileSignature(of: bytes) {
      case .png: .png(try PNGChunks(bytes, file: name, limits: limits))
      case .heic, .avif: .heif(try HEIFHeader(bytes, file: name, limits: limits))
      case .webp: .webp(try WebPHeader(bytes, file: name, limits: limits))
      default: .jpeg(try JPEGDecoder.header(bytes, file: name, limits: limits))
      }
  }

  /// Columns of the stored picture. The boxes of a HEIC or AVIF file rotate the picture, so the columns are those
  /// of the upright photo. In other files, an Exif rotation by 90° exchanges rows and columns.
  package var width: Int {
    storedSize.width
  }

  /// Rows of the stored picture.
  package var height: Int { storedSize.height }

  private var storedSize: (height: Int, width: Int) {
    switch header {
    case .jpeg(let header): (header.height, header.width)
    case .png(let chunks): (chunks.height, chunks.width)
    case .heif(let header): (header.height, header.width)
    case .webp(let header): (header.height, header.width)
    }
  }

  /// Whether the file is an animation, of which only the first frame is read.
  package var isAnimation: Bool {
    switch header {
    case .webp(let header): header.isAnimated
    case .heif(let header): header.isSequence
    case .jpeg, .png: false
    }
  }

  /// Whether the header mentions a depth picture. Only decoding confirms the depth picture.
  package var mentionsDepth: Bool {
    switch header {
    case .jpeg: JPEGSegments.mentionDepth(in: bytes)
    case .heif(let header): header.mentionsDepth
    case .png, .webp: false
    }
  }

  /// Width over height of the upright photo.
  package var uprightAspect: Double {
    let aspect = Double(width) / Double(height)
    return orientation.swapsSides ? 1 / aspect : aspect
  }

  /// Rows and columns of the upright photo.
  package var uprightSize: (height: Int, width: Int) {
    orientation.swapsSides ? (width, height) : (height, width)
  }

  private var orientation: Orientation {
    let exif =
      switch header {
      case .jpeg(let header): header.exif
      case .png(let chunks): chunks.exif
      case .webp(let header): header.exif
      case .heif: nil as [UInt8]?  // boxes rotate it; its Exif block only repeats them
      }
    return Orientation(exif: exif)
  }

  /// The extensions under which other programs read the same pixels. Empty for a photo with an Exif rotation, and for
  /// formats other than JPEG and PNG.
  package var plainExtensions: [String] {
    switch header {
    case .jpeg: orientation == .up ? ["jpg", "jpeg"] : []
    case .png: orientation == .up ? ["png"] : []
    case .heif, .webp: []
    }
  }

  /// Decodes the photo.
  ///
  /// - Throws: `DepthError`, also if decoding needs more memory than the process may use.
  package func image() throws -> Image {
    try limits.check(
      MemoryNeed(
        .init(bytesPerPixel: decodingBytesPerPixel), pixels: width * height), for: name)
    return try decoded()
  }

  /// Decodes the photo after the caller has checked the memory.
  ///
  /// - Throws: `DepthError`.
  package func decoded() throws -> Image {
    switch header {
    case .jpeg(let header):
      try JPEGDecoder.image(bytes, header, file: name)
    case .png(let chunks):
      try Image(
        stored: chunks.photoPixels(file: name), height: chunks.height, width: chunks.width,
        exif: chunks.exif, iccProfile: chunks.pixelProfile, convertedFrom: chunks.convertedCoding)
    case .heif(let header): try HEIFDecoder.image(bytes, header, file: name)
    case .webp(let header): try WebPDecoder.image(header, file: name)
    }
  }

  /// Number of copies of the file during decoding: one with modified boxes or chunks, and extracted data.
  package static let decodingCopies = 2

  /// Bytes per pixel during decoding, including the result.
  package var decodingBytesPerPixel: Double {
    switch header {
    case .png(let chunks):
      return Self.decoded(bytes: chunks.decodingBytesPerPixel, exif: chunks.exif)
    case .jpeg(let header):
      // CMYK is decoded first and then converted.
      let pixels = Self.decoded(bytes: header.components == 4 ? 7 : 3, exif: header.exif)
      // With several scans, 16-bit coefficients are collected before the first pixel is available.
      return pixels + (header.scans > 1 ? 2 * header.samplesPerPixel : 0)
    // The memory contains the picture, its copy in shared memory, and the child's memory.
    case .heif(let header): return header.convertedCoding == nil ? 16 : 32
    case .webp(let header):
      return Self.decoded(bytes: header.frame.hasAlpha ? 11 : 10, exif: header.exif)
    }
  }

  /// Adds three bytes if the photo is rotated upright.
  private static func decoded(bytes: Double, exif: [UInt8]?) -> Double {
    Orientation(exif: exif) == .up ? bytes : bytes + 3
  }

  /// Checks whether a file with these first bytes may be a photo.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat` for any other file.
  package static func requirePhoto(_ start: [UInt8], name: String) throws {
    switch FileSignature(of: start) {
    case .jpeg, .png, .heic, .avif, .webp: return
    case let other:
      throw DepthError.unsupportedFormat(
        file: name, expected: "a JPEG, PNG, HEIC, WebP or AVIF picture" + other.remedy,
        found: other.description, cause: other == .film ? SettingAtFault.film : nil)
    }
  }
}
