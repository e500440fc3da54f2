package import DepthErrors
package import ProcessLimits

/// What one call may take: the largest picture or map, and how much memory.
///
/// A header of a few bytes can promise any size; what promises more than this, or more than its own
/// file could hold, is refused before memory is asked for. So is what needs more memory than this
/// process may still take, whatever the limits.
///
/// As JSON it is an object with the keys `maximum_pixels` and `maximum_bytes`, both optional.
///
/// ```swift
/// let limits = ImageLimits(maximumPixels: 50_000_000, maximumBytes: 500_000_000)
/// let upload = try Image(contentsOf: url, limits: limits)
/// ```
public struct ImageLimits: Sendable, Hashable {
  /// Pixels of one picture or map; by default 2²⁸, which are 268 megapixels.
  public var maximumPixels: Int
  /// Bytes that one call may take at its peak, in addition to what the process holds already; `nil`
  /// for as many as the process may still take. Needs are estimates from sizes: never below what is
  /// taken, and less than twice as much.
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
