import AtomicFiles
import DepthErrors
public import SystemEssentials

/// How much color detail a JPEG keeps.
///
/// ```swift
/// let sharpColors = try photo.encoded(as: .jpeg(quality: 95, chroma: .full))
/// ```
public enum ChromaSubsampling: String, Hashable, Sendable, CaseIterable {
  /// 4:2:0, one color sample for 2×2 pixels: photos.
  case quarter
  /// 4:4:4, all of it: anaglyphs and color maps, whose edges are color.
  case full
}

/// The formats that pictures are written in.
///
/// ```swift
/// let png = try photo.encoded(as: .png)
/// let jpeg = try photo.encoded(as: .jpeg(quality: 85))
/// ```
public enum ImageFileFormat: Hashable, Sendable {
  /// 8-bit RGB, lossless.
  case png
  /// Baseline JPEG; `quality` is 1…100 on libjpeg's scale.
  case jpeg(quality: Int = 92, chroma: ChromaSubsampling = .quarter)

  /// The format that a file name asks for: `.png`, `.jpg` or `.jpeg`, in any case.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat`.
  public init(
    extensionOf url: URL, quality: Int = 92, chroma: ChromaSubsampling = .quarter
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
