@testable import PictureFiles

/// A PNG of any bit depth and color type, whose pixels are stored without compression.
///
/// > Source: W3C PNG (Third Edition); RFC 1950 and 1951 for the stored block.
struct PNGFixture {
  var width: Int
  var height: Int
  var bitDepth: UInt8 = 8
  /// 0 is gray, 2 color, 3 palette, 4 gray and alpha, 6 color and alpha.
  var colorType: UInt8 = 2
  /// All rows of the file, without the bytes that state filters.
  var rows: [UInt8]
  /// Chunks between the header and the pixels.
  var extra: [UInt8] = []
  /// Whether rows are stored in seven passes with changing filters, for pixels of whole bytes.
  var isInterlaced = false

  var bytes: [UInt8] {
    PNGChunks.signature + header + extra + PNGChunks.chunk("IDAT", compressed)
      + PNGChunks.chunk("IEND", [])
  }

  var header: [UInt8] {
    var data: [UInt8] = []
    data.append(bigEndian: UInt32(width))
    data.append(bigEndian: UInt32(height))
    return PNGChunks.chunk("IHDR", data + [bitDepth, colorType, 0, 0, isInterlaced ? 1 : 0])
  }

  /// The pass of each pixel in a tile of 8×8 (W3C PNG, section 8.1).
  private static let pattern = [
    "16462646", "77777777", "56565656", "77777777", "36463646", "77777777", "56565656", "77777777",
  ].map { Array($0.utf8) }

  /// The filtered rows of all passes.
  private var passes: [UInt8] {
    let bytes = rows.count / (width * height)
    var result: [UInt8] = []
    var type = 0
    for pass in UInt8(ascii: "1")...UInt8(ascii: "7") {
      var above: [Int]?
      for y in 0..<height {
        let columns = (0..<width).filter { Self.pattern[y % 8][$0 % 8] == pass }
        guard !columns.isEmpty else { continue }
        let row = columns.flatMap { x in
          (0..<bytes).map { Int(rows[(y * width + x) * bytes + $0]) }
        }
        result.append(UInt8(type))
        for place in row.indices {
          let left = place < bytes ? 0 : row[place - bytes]
          let up = above?[place] ?? 0
          let corner = place < bytes ? 0 : above?[place - bytes] ?? 0
          // The neighbor nearest to left + up - corner. Ties are resolved in this order.
          let nearest = [left, up, corner].min {
            abs(left + up - corner - $0) < abs(left + up - corner - $1)
          }
          let predicted = [0, left, up, (left + up) / 2, nearest ?? 0][type]
          result.append(UInt8(truncatingIfNeeded: row[place] - predicted))
        }
        (above, type) = (row, (type + 1) % 5)
      }
    }
    return result
  }

  private var compressed: [UInt8] {
    let length = height == 0 ? 0 : rows.count / height
    let filtered =
      isInterlaced
      ? passes
      : (0..<height).flatMap { (y: Int) -> [UInt8] in [0] + rows[y * length..<(y + 1) * length] }
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
