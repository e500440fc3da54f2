package import DepthBase
package import DepthErrors

/// Limits of one call: the largest picture or map, and how much memory it may use.
///
/// The header of a small file can state any size. A call throws before it allocates memory if a picture would exceed these limits or
/// could not be contained in a file of its length, or if the call needs more memory than this process may still use.
///
/// ```swift
/// let limits = ImageLimits(maximumPixels: 50_000_000, maximumBytes: 500_000_000)
/// let upload = try Image(contentsOf: url, limits: limits)
/// ```
public struct ImageLimits: Sendable, Hashable {
  /// The most pixels of one picture or map; by default 2²⁸, which are 268 megapixels.
  public var maximumPixels: Int
  /// The most bytes that one call may use at its peak, in addition to the memory that the process already uses; `nil` for as many as
  /// the process may still use. The need of a call is estimated from sizes, by a number of bytes
  /// for each pixel.
  public var maximumBytes: Int?

  /// Limits of the given pixels and bytes.
  public init(maximumPixels: Int = 1 << 28, maximumBytes: Int? = nil) {
    (self.maximumPixels, self.maximumBytes) = (maximumPixels, maximumBytes)
  }

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

  /// - Throws: `DepthError` with code `insufficientMemory` when a call needs more than
  ///   ``maximumBytes``, or than this process may still take.
  package func check(_ need: MemoryNeed, for name: String) throws {
    if let maximumBytes, need.bytes > maximumBytes {
      throw DepthError(
        .insufficientMemory, file: name,
        "needs about \(MemoryNeed.text(need.bytes)) of memory, "
          + "\(MemoryNeed.text(maximumBytes)) are allowed")
    }
    try need.require(for: name)
  }
}

extension DepthError {
  /// One side is zero.
  package static func noPixels(file: String, width: Int, height: Int) -> DepthError {
    DepthError(.damaged, file: file, "is \(width)×\(height) pixels, expected at least 1×1")
  }

  /// More pixels than ``ImageLimits`` allow.
  package static func tooLarge(file: String, width: Int, height: Int, limit: Int) -> DepthError {
    DepthError(
      .tooLarge, file: file, "is \(width)×\(height) pixels, expected at most \(limit) in all")
  }
}
