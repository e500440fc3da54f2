/// CRC-32 as in zlib and PNG (polynomial 0xEDB88320, reflected), eight bytes a step.
public func crc32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
  var crc: UInt32 = ~0
  var i = 0
  crc32Tables.withUnsafeBufferPointer { table in
    while i + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: i, as: UInt64.self).littleEndian ^ UInt64(crc)
      crc = 0
      for byte in 0..<8 {
        crc ^= table[(7 - byte) * 256 + Int(truncatingIfNeeded: word >> UInt64(8 * byte) & 0xFF)]
      }
      i += 8
    }
    while i < bytes.count {
      crc = crc >> 8 ^ table[Int((crc ^ UInt32(bytes[i])) & 0xFF)]
      i += 1
    }
  }
  return ~crc
}

/// CRC-32 of the little-endian bytes of an array of numbers.
public func crc32<Element: BitwiseCopyable>(_ values: [Element]) -> UInt32 {
  values.withUnsafeBytes { crc32($0) }
}

/// Table `k` begins at `256 k`. An entry is a byte's effect on the register after `k` more bytes.
private let crc32Tables: [UInt32] = {
  var tables = [UInt32](repeating: 0, count: 2048)
  for byte in 0..<256 {
    var crc = UInt32(byte)
    for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    tables[byte] = crc
  }
  for i in 256..<2048 { tables[i] = tables[i - 256] >> 8 ^ tables[Int(tables[i - 256] & 0xFF)] }
  return tables
}()
