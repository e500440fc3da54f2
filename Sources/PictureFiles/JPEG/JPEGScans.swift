import SystemEssentials

/// The scans of a JPEG: how often its decoder goes over the picture.
///
/// A scan of a few bytes costs as much time as one of megabytes, so a small file with thousands of
/// them keeps a processor busy for hours.
enum JPEGScans {
  /// libjpeg's usual script has 10 scans, optimizers find up to some 20; one for every coefficient
  /// of three components would be 192.
  static let largestCount = 200

  /// Counts start-of-scan markers up to the end of the picture.
  ///
  /// - Parameters:
  ///   - bytes: A whole file.
  ///   - offset: The first byte after the first start-of-scan marker, which is counted.
  static func count(_ bytes: [UInt8], after offset: Int) -> Int {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      var (count, offset) = (1, offset)
      while offset < buffer.count - 1,
        let found = unsafe memchr(base + offset, 0xFF, buffer.count - 1 - offset)
      {
        offset = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
        switch unsafe buffer[offset] {
        case 0xD9: return count
        case 0xDA: count += 1
        // Stuffed bytes, restarts and fill bytes belong to the scan; tables are skipped as they
        // come.
        default: break
        }
      }
      return count
    }
  }
}
