#if Codecs || HDF5
  import CDepthDeflate
#endif

/// Decompresses deflate streams by libdeflate, in less than half of zlib's time for depth maps.
///
/// > Source: RFC 1950, RFC 1951.
package enum Inflate {
  /// Whether this build contains libdeflate.
  package static var isAvailable: Bool {
    #if Codecs || HDF5
      true
    #else
      false
    #endif
  }

  /// The content of a zlib or raw deflate stream; `nil` if it is damaged or exceeds `capacity` bytes.
  package static func content(
    of bytes: ArraySlice<UInt8>, capacity: Int, isRaw: Bool = false
  ) -> [UInt8]? {
    #if Codecs || HDF5
      var isWhole = false
      // The array has at least one byte, because all threads share the single empty array.
      let result = unsafe [UInt8](unsafeUninitializedCapacity: max(capacity, 1)) {
        output, initialized in
        isWhole = unsafe bytes.withUnsafeBufferPointer {
          unsafe cdeflate_inflate(
            isRaw, $0.baseAddress, $0.count, output.baseAddress, capacity, &initialized)
        }
        if !isWhole { initialized = 0 }
      }
      return isWhole ? result : nil
    #else
      nil
    #endif
  }
}
