package import DepthBase
import DepthErrors

/// ZIP archives of NumPy arrays in the format of `numpy.savez` and `numpy.savez_compressed`.
///
/// > Source: NumPy, `numpy.lib.format` and `numpy.savez`; PKWARE, “.ZIP File Format Specification”, version 6.3.10, section 4.3.
package enum NPZ {
  /// 1 January 1980, the first day in ZIP. The bytes therefore do not depend on the time of writing.
  private static let date: UInt16 = 1 << 5 | 1

  /// The content of an archive of uncompressed members, whose headers contain size and checksum.
  ///
  /// Archives of 4 GiB or more (214 megapixels of depth, confidence and normals) would require ZIP64 and throw `DepthError`
  /// with code `unsupportedFormat`.
  package static func file(_ arrays: [NamedArray]) -> FileContent {
    .pieces { write in
      var (directory, offset): ([UInt8], Int) = ([], 0)
      for array in arrays {
        let (name, content) = (Array("\(array.name).npy".utf8), try array.content())
        // Version 2.0, no flags, no compression, the time 0:00.
        var fields = [20, 0, 0, 0, date].flatMap { [UInt8](littleEndian: $0) }
        let size = UInt32(clamping: content.count)
        // The upper half of the last number, 0, is the length of the extra field.
        for number in [CRC32.checksum(content[...]), size, size, UInt32(name.count)] {
          fields.append(littleEndian: number)
        }
        let header = signature(3, 4) + fields + name
        directory += signature(1, 2) + [20, 0] + fields + [UInt8](repeating: 0, count: 10)
        directory += [UInt8](littleEndian: UInt32(offset)) + name
        offset += header.count + content.count
        guard offset + directory.count < UInt32.max else {
          throw DepthError.unencodable(
            format: "NumPy archive", reason: "the arrays take more than 4 GiB, write a smaller map")
        }
        try write(header.span)
        try write(content.span)
      }
      let counts = [0, 0, UInt16(arrays.count), UInt16(arrays.count)]
      directory +=
        signature(5, 6) + counts.flatMap { [UInt8](littleEndian: $0) }
        + [UInt8](littleEndian: UInt32(directory.count)) + [UInt8](littleEndian: UInt32(offset))
      try write((directory + [0, 0]).span)
    }
  }

  private static func signature(_ third: UInt8, _ fourth: UInt8) -> [UInt8] {
    Array("PK".utf8) + [third, fourth]
  }
}
