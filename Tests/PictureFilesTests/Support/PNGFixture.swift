@testable import PictureFiles

/// A PNG of any bit depth and color type, its pixels stored without compression.
///
/// > Source: W3C PNG (Third Edition); RFC 1950 and 1951 for the stored block.
struct PNGFixture {
  var width: Int
  var height: Int
  var bitDepth: UInt8 = 8
  /// 0 gray, 2 color, 3 palette, 4 gray and alpha, 6 color and alpha.
  var colorType: UInt8 = 2
  /// All rows as they stand in the file, without filter bytes.
  var rows: [UInt8]
  /// Chunks between the header and the pixels.
  var extra: [UInt8] = []

  var bytes: [UInt8] {
    PNGChunks.signature + header + extra + PNGChunks.chunk("IDAT", compressed)
      + PNGChunks.chunk("IEND", [])
  }

  var header: [UInt8] {
    var data: [UInt8] = []
    data.append(bigEndian: UInt32(width))
    data.append(bigEndian: UInt32(height))
    return PNGChunks.chunk("IHDR", data + [bitDepth, colorType, 0, 0, 0])
  }

  private var compressed: [UInt8] {
    let length = height == 0 ? 0 : rows.count / height
    let filtered = (0..<height).flatMap { [0] + rows[$0 * length..<($0 + 1) * length] }
    var result: [UInt8] = [0x78, 0x01]
    let starts = Array(stride(from: 0, to: filtered.count, by: 65_535))
    for start in starts {
      let block = filtered[start..<min(filtered.count, start + 65_535)]
      let count = UInt16(block.count)
      result += [start == starts.last ? 1 : 0]
      result += [UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)]
      result += block
    }
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in filtered {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    result.append(bigEndian: b << 16 | a)
    return result
  }
}
