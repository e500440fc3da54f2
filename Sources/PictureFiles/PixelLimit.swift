import AtomicFiles

/// The largest picture or map that is read.
///
/// A header of a few bytes can promise any size; what promises more than this, or more than its own
/// file could hold, is refused before memory is asked for.
public enum PixelLimit {
  /// 2²⁸ pixels, 268 megapixels: 768 MiB of RGB.
  public static let pixels = 1 << 28

  /// - Throws: ``ImageCodingError`` when a side is zero or there are more pixels than ``pixels``.
  static func check(width: Int, height: Int, file: String) throws {
    guard width > 0, height > 0 else {
      throw ImageCodingError.noPixels(file: file, width: width, height: height)
    }
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, area <= pixels else {
      throw ImageCodingError.tooLarge(file: file, width: width, height: height, limit: pixels)
    }
  }
}
