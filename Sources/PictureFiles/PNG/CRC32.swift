import FileChecksums

#if Codecs
  import CDepthZlib
#endif

/// The check sum of PNG chunks.
///
/// > Source: W3C PNG (Third Edition), annex D: polynomial 0xEDB88320, reflected, inverted at both ends.
package enum CRC32 {
  /// - Parameter first: The check sum of the bytes before these.
  package static func checksum(_ bytes: ArraySlice<UInt8>, after first: UInt32 = 0) -> UInt32 {
    #if Codecs
      unsafe bytes.withUnsafeBufferPointer {
        unsafe UInt32(crc32_z(UInt(first), $0.baseAddress, $0.count))
      }
    #else
      SlicedCRC32.checksum(bytes, after: first)
    #endif
  }
}
