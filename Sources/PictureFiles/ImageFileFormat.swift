import DepthBase
import DepthErrors
public import SystemEssentials

/// The color resolution of a JPEG.
///
/// ```swift
/// let sharpColors = try photo.encoded(as: .jpeg(quality: 95, chroma: .full))
/// ```
public enum ChromaSubsampling: String, Hashable, Sendable, CaseIterable {
  /// 4:2:0, one color sample for 2×2 pixels; suitable for photos.
  case quarter
  /// 4:4:4, one color sample per pixel; suitable for color edges, as in anaglyphs and color maps.
  case full
}

/// The file formats of pictures.
///
/// ```swift
/// let png = try photo.encoded(as: .png)
/// let jpeg = try photo.encoded(as: .jpeg(quality: 85))
/// ```
public enum ImageFileFormat: Hashable, Sendable {
  /// The default quality of JPEG files.
  public static let defaultQuality = 92
  /// The JPEG qualities on libjpeg's scale.
  package static let qualities = 1...100

  /// 8-bit RGB, lossless.
  case png
  /// Baseline JPEG; `quality` is 1…100 on libjpeg's scale.
  case jpeg(quality: Int = ImageFileFormat.defaultQuality, chroma: ChromaSubsampling = .quarter)

  /// The format that a file name's extension selects: `.png`, `.jpg` or `.jpeg`, in upper or lower
  /// case.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat`.
  public init(
    extensionOf url: URL, quality: Int = ImageFileFormat.defaultQuality,
    chroma: ChromaSubsampling = .quarter
  ) throws {
    switch url.pathExtension.lowercased() {
    case "png": self = .png
    case "jpg", "jpeg": self = .jpeg(quality: quality, chroma: chroma)
    case let other:
      throw DepthError.unknownExtension(
        file: url.relativePath, expected: [".png", ".jpg", ".jpeg"],
        found: other)
    }
  }
}
