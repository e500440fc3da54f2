/// An upright color photo: `height × width × 3` bytes, sRGB 0…255, row 0 at the top.
///
/// ```swift
/// let red = Image(height: 2, width: 2, pixels: [UInt8](repeating: 0, count: 12))
/// try red.write(to: url)  // .png or .jpg
/// ```
public struct Image: Sendable, Hashable {
  /// Rows and columns.
  public let height, width: Int
  /// Interleaved red, green, blue; pixel `(y, x)` begins at `(y·width + x)·3`.
  public let pixels: [UInt8]
  /// Color profile and Exif data of the file.
  public var metadata: ImageMetadata

  /// Creates a photo from interleaved red, green and blue, row by row.
  ///
  /// - Precondition: both sides are positive and `pixels.count == height·width·3`.
  public init(height: Int, width: Int, pixels: [UInt8], metadata: ImageMetadata = .init()) {
    precondition(
      height > 0 && width > 0, "image is \(width)×\(height) pixels, expected at least 1×1")
    precondition(
      pixels.count == height * width * 3,
      "\(pixels.count) bytes for \(width)×\(height) RGB pixels, expected \(height * width * 3)")
    (self.height, self.width, self.pixels, self.metadata) = (height, width, pixels, metadata)
  }
}

/// Information about a photo that is copied to derived files.
///
/// ```swift
/// var stripped = photo
/// stripped.metadata = ImageMetadata()  // no Exif, no color profile
/// ```
public struct ImageMetadata: Sendable, Hashable {
  /// ICC color profile, as embedded in the file.
  public var iccProfile: [UInt8]?
  /// Exif block (TIFF structure, without the `Exif\0\0` marker), as embedded in the file.
  public var exif: [UInt8]?
  /// Focal length from the Exif block, millimetres on a 36 × 24 mm frame with the same diagonal.
  public var focalLengthIn35mmFilm: Double?
  /// Whether ``focalLengthIn35mmFilm`` was computed from the lens's focal length and the sensor's size or resolution. Otherwise
  /// the Exif block contains the number in whole millimetres, by the maker's definition.
  public var focalLengthIsExact: Bool
  /// Name and version of the writing program; `nil` for none. Reading a file does not set this property.
  package var software: String?
  /// A sentence about a color conversion during decoding; `nil` without a conversion.
  package var colorNote: String?

  /// Creates metadata from its parts; empty by default.
  public init(
    iccProfile: [UInt8]? = nil, exif: [UInt8]? = nil, focalLengthIn35mmFilm: Double? = nil,
    focalLengthIsExact: Bool = false
  ) {
    self.focalLengthIsExact = focalLengthIsExact
    self.iccProfile = iccProfile
    self.exif = exif
    self.focalLengthIn35mmFilm = focalLengthIn35mmFilm
  }
}
