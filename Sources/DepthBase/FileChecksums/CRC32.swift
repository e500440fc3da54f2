#if Codecs || HDF5
  import CDepthDeflate
#endif

/// CRC-32 as in zlib and PNG.
///
/// > Source: W3C PNG (Third Edition), annex D: polynomial 0xEDB88320, reflected, inverted at both ends.
package enum CRC32 {
  /// - Parameter first: The checksum of the preceding bytes.
  package static func checksum(_ bytes: ArraySlice<UInt8>, after first: UInt32 = 0) -> UInt32 {
    #if Codecs || HDF5
      // libdeflate uses vector instructions.
      unsafe bytes.withUnsafeBufferPointer {
        unsafe libdeflate_crc32(first, $0.baseAddress, $0.count)
      }
    #else
      SlicedCRC32.checksum(bytes, after: first)
    #endif
  }
}

/// ``CRC32`` for builds without libdeflate, eight bytes at a time.
///
/// > Source: M. E. Kounavis, F. L. Berry. “A Systematic Approach to Building High Performance Software-based CRC
/// > Generators.” ISCC 2005, section 4, slicing by 8.
enum SlicedCRC32 {
  /// The remainders of each byte followed by 0 to 7 zero bytes.
  private static let remainders: [UInt32] = {
    var table: [UInt32] = []
    for byte in 0..<256 {
      var sum = UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xEDB8_8320 }
      table.append(sum)
    }
    for index in 256..<2048 {
      let before = table[index - 256]
      table.append((before >> 8) ^ table[Int(before & 255)])
    }
    return table
  }()

  /// The checksum of bytes whose predecessors have the checksum `first`.
  static func checksum(_ bytes: ArraySlice<UInt8>, after first: UInt32 = 0) -> UInt32 {
    let (table, bytes) = (remainders.span, bytes.span)
    var sum = ~first
    var index = 0
    while index + 8 <= bytes.count {
      var next: UInt32 = 0
      for place in 0..<8 {
        let mixed = place < 4 ? UInt8(truncatingIfNeeded: sum >> (8 * UInt32(place))) : 0
        let byte = bytes[index + place] ^ mixed
        next ^= table[(7 - place) * 256 + Int(byte)]
      }
      sum = next
      index += 8
    }
    while index < bytes.count {
      let byte = UInt8(truncatingIfNeeded: sum) ^ bytes[index]
      sum = (sum >> 8) ^ table[Int(byte)]
      index += 1
    }
    return ~sum
  }
}
