import SystemEssentials

/// The scans of a JPEG, which are passes over the whole picture.
///
/// A scan of a few bytes takes as long as a scan of megabytes, so a small file with thousands of
/// scans would occupy a processor for hours.
enum JPEGScans {
  /// Maximum number of scans. libjpeg's usual script has 10, and optimizers find up to about 20.
  /// One scan per coefficient of three components would be 192.
  static let largestCount = 200

  /// Counts start-of-scan markers up to the end of the picture.
  ///
  /// - Parameters:
  ///   - bytes: A whole file.
  ///   - offset: The first byte after the first start-of-scan marker, which is counted.
  static func count(_ bytes: [UInt8], after offset: Int) -> Int {
    var count = 0
    forEachStart(bytes, after: offset) { _ in count += 1 }
    return count
  }

  /// Returns whether the scans contain all 64 coefficients of every component to the last bit.
  ///
  /// - Parameters:
  ///   - bytes: A whole file.
  ///   - offset: The first byte after the first start-of-scan marker.
  ///   - components: Components of the picture.
  static func areComplete(_ bytes: [UInt8], after offset: Int, components: Int) -> Bool {
    let reader = ByteReader(bytes: bytes)
    // A set bit marks a coefficient that is complete to the last bit.
    var known: [UInt8: UInt64] = [:]
    forEachStart(bytes, after: offset) { start in
      guard let count = reader.integer(UInt8.self, at: start + 2) else { return }
      let end = start + 3 + 2 * Int(count)
      guard let first = reader.integer(UInt8.self, at: end),
        let last = reader.integer(UInt8.self, at: end + 1), first <= last, last < 64,
        let bits = reader.integer(UInt8.self, at: end + 2), bits & 15 == 0
      else { return }
      let mask = UInt64.max << UInt64(first) & UInt64.max >> UInt64(63 - last)
      for place in stride(from: start + 3, to: end, by: 2) {
        known[bytes[place], default: 0] |= mask
      }
    }
    return known.values.count { $0 == .max } == components
  }

  /// The offset after the end-of-image marker; `nil` in a truncated file.
  ///
  /// - Parameters:
  ///   - bytes: A whole file.
  ///   - offset: The first byte after the first start-of-scan marker.
  static func end(of bytes: [UInt8], after offset: Int) -> Int? {
    forEachStart(bytes, after: offset) { _ in }
  }

  /// Visits the first byte after each start-of-scan marker, up to the end of the picture.
  ///
  /// Inside a scan, 0xFF is followed by 0 or a restart marker. Otherwise 0xFF begins the next marker.
  ///
  /// - Returns: The offset after the end-of-image marker; `nil` in a truncated file.
  @discardableResult
  private static func forEachStart(
    _ bytes: [UInt8], after offset: Int, _ visit: (_ start: Int) -> Void
  ) -> Int? {
    visit(offset)
    return unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return nil }
      var offset = offset
      while offset < buffer.count - 1,
        let found = unsafe memchr(base + offset, 0xFF, buffer.count - 1 - offset)
      {
        offset = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
        switch unsafe buffer[offset] {
        case JPEGMarker.endOfImage: return offset + 1
        case JPEGMarker.startOfScan: visit(offset + 1)
        // Stuffed bytes, restarts and fill bytes belong to the scan. Tables are skipped.
        default: break
        }
      }
      return nil
    }
  }
}
