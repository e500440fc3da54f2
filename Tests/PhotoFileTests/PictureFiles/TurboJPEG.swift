import CDepthTurboJPEG
import Testing

/// Gray and CMYK JPEGs, which the package reads but does not write.
enum TurboJPEG {
  /// A baseline JPEG of the best quality.
  static func compressed(
    _ samples: [UInt8], height: Int, width: Int, format: TJPF, subsampling: TJSAMP
  ) throws -> [UInt8] {
    let handle = try #require(tjInitCompress())
    defer { tjDestroy(handle) }
    var buffer: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    defer { tjFree(buffer) }
    let status = tjCompress2(
      handle, samples, Int32(width), 0, Int32(height), Int32(format.rawValue), &buffer, &size,
      Int32(subsampling.rawValue), 100, TJFLAG_ACCURATEDCT)
    try #require(status == 0)
    return Array(UnsafeBufferPointer(start: try #require(buffer), count: Int(size)))
  }
}
