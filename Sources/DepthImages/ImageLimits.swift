package import DepthBase
package import DepthErrors

/// Limits of one call: the largest picture or map, and its memory.
///
/// The header of a small file can specify any size. A call throws before it allocates memory in three cases: the picture
/// exceeds these limits, the file is too short for the picture, or the call needs more memory than is available to this
/// process.
///
/// ```swift
/// let limits = ImageLimits(maximumPixels: 50_000_000, maximumBytes: 500_000_000)
/// let upload = try Image(contentsOf: url, limits: limits)
/// ```
public struct ImageLimits: Sendable, Hashable {
  /// The maximum pixels of one picture or map; by default 2²⁸, which is 268 megapixels.
  public var maximumPixels: Int
  /// The peak memory of one call in bytes, in addition to the memory that the process already uses; `nil` for all available
  /// memory. A call's need is estimated as a number of bytes per pixel.
  public var maximumBytes: Int?

  /// Creates limits of pixels and bytes.
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

  /// - Throws: `DepthError` with code `insufficientMemory` when a call needs more than ``maximumBytes`` or the memory available
  ///   to this process.
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
  /// The error for a side of zero.
  package static func noPixels(file: String, width: Int, height: Int) -> DepthError {
    DepthError(.damaged, file: file, "is \(width)×\(height) pixels, expected at least 1×1")
  }

  /// The error for more pixels than ``ImageLimits`` allow.
  package static func tooLarge(file: String, width: Int, height: Int, limit: Int) -> DepthError {
    DepthError(
      .tooLarge, file: file, "is \(width)×\(height) pixels, expected at most \(limit) in all")
  }
}
