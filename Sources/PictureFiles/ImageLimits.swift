import AtomicFiles
import DepthErrors

/// The largest picture or map that is read.
///
/// A header of a few bytes can promise any size; what promises more than this, or more than its own
/// file could hold, is refused before memory is asked for. So is what needs more memory than this
/// process may still take.
///
///     let photo = try Image(contentsOf: url, limits: ImageLimits(maximumPixels: 20_000_000))
///
/// ```swift
/// let limits = ImageLimits(maximumPixels: 50_000_000)
/// let upload = try Image(contentsOf: url, limits: limits)
/// ```
public struct ImageLimits: Sendable, Hashable {
  /// Pixels of one picture or map; by default 2²⁸, which are 268 megapixels.
  public var maximumPixels: Int

  public init(maximumPixels: Int = 1 << 28) { self.maximumPixels = maximumPixels }

  /// - Throws: `DepthError` when a side is zero or there are more than ``maximumPixels``.
  package func check(width: Int, height: Int, file: String) throws {
    guard width > 0, height > 0 else {
      throw DepthError.noPixels(file: file, width: width, height: height)
    }
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, area <= maximumPixels else {
      throw DepthError.tooLarge(
        file: file, width: width, height: height, limit: maximumPixels)
    }
  }
}
