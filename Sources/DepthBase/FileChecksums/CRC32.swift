#if Codecs || HDF5
  import CDepthDeflate
#endif

/// CRC-32 as in zlib and PNG.
///
/// > Source: W3C PNG (Third Edition), annex D: polynomial 0xEDB88320, reflected, inverted at both ends.
package enum CRC32 {
  /// - Parameter first: The sum of the bytes before these.
  package static func checksum(_ bytes: ArraySlice<UInt8>, after first: UInt32 = 0) -> UInt32 {
    #if Codecs || HDF5
      // By libdeflate, which has vector instructions for it.
      unsafe bytes.withUnsafeBufferPointer {
        unsafe libdeflate_crc32(first, $0.baseAddress, $0.count)
      }
    #else
      SlicedCRC32.checksum(bytes, after: first)
    #endif
  }
}
