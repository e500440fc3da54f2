/// The seven passes of an interlaced PNG whose pixels are whole bytes.
///
/// > Source: W3C PNG (Third Edition), sections 8 and 9, “Interlacing and pass extraction” and “Filtering”.
struct Adam7 {
  let width, height: Int
  /// Bytes of a pixel.
  let pixelBytes: Int

  /// One pass: the pixels from (x, y) in steps, and where its first row lies among the unpacked bytes.
  private struct Pass {
    let x, y, stepX, stepY: Int
    let columns, rows, start: Int
    /// The filter's type and the pixels.
    let rowBytes: Int
  }

  private let passes: [Pass]
  /// Bytes of all passes.
  let byteCount: Int

  init(width: Int, height: Int, pixelBytes: Int) {
    (self.width, self.height, self.pixelBytes) = (width, height, pixelBytes)
    var passes: [Pass] = []
    var start = 0
    for (x, y, stepX, stepY) in [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
      (0, 1, 1, 2),
    ] where x < width && y < height {
      let columns = (width - x + stepX - 1) / stepX
      let rows = (height - y + stepY - 1) / stepY
      let pass = Pass(
        x: x, y: y, stepX: stepX, stepY: stepY, columns: columns, rows: rows, start: start,
        rowBytes: 1 + columns * pixelBytes)
      passes.append(pass)
      start += rows * pass.rowBytes
    }
    (self.passes, byteCount) = (passes, start)
  }

  /// Undoes the filters in place; false when a row has an unknown one.
  ///
  /// - Precondition: there are ``byteCount`` bytes.
  func unfilter(_ bytes: inout [UInt8]) -> Bool {
    precondition(bytes.count == byteCount, "\(bytes.count) bytes, expected \(byteCount)")
    var bytes = bytes.mutableSpan
    for pass in passes {
      for row in 0..<pass.rows {
        let start = pass.start + row * pass.rowBytes
        let type = bytes[start]
        guard type <= 4 else { return false }
        unfilter(
          &bytes, start + 1..<start + pass.rowBytes, above: row > 0 ? pass.rowBytes : nil,
          type: type)
      }
    }
    return true
  }

  /// - Parameter above: How far before a byte that of the row above lies; `nil` in the first row, above which are zeros.
  private func unfilter(
    _ bytes: inout MutableSpan<UInt8>, _ row: Range<Int>, above: Int?, type: UInt8
  ) {
    for place in row where type > 0 {
      let hasLeft = place - row.lowerBound >= pixelBytes
      let left = hasLeft ? Int(bytes[place - pixelBytes]) : 0
      let up = above.map { Int(bytes[place - $0]) } ?? 0
      let corner = if let above, hasLeft { Int(bytes[place - above - pixelBytes]) } else { 0 }
      let predicted =
        switch type {
        case 1: left
        case 2: up
        case 3: (left + up) / 2
        default: Self.paeth(left, up, corner)
        }
      bytes[place] &+= UInt8(predicted)
    }
  }

  private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> Int {
    let estimate = left + up - corner
    let (a, b, c) = (abs(estimate - left), abs(estimate - up), abs(estimate - corner))
    if a <= b && a <= c { return left }
    return b <= c ? up : corner
  }

  /// Rows of the picture, each after a filter type of 0.
  ///
  /// - Parameter bytes: The passes, unfiltered.
  func rows(_ rows: Range<Int>, of bytes: [UInt8]) -> [UInt8] {
    let rowBytes = 1 + width * pixelBytes
    var result = [UInt8](repeating: 0, count: rows.count * rowBytes)
    var target = result.mutableSpan
    let source = bytes.span
    for y in rows {
      for pass in passes where y >= pass.y && (y - pass.y) % pass.stepY == 0 {
        var from = pass.start + (y - pass.y) / pass.stepY * pass.rowBytes + 1
        var to = (y - rows.lowerBound) * rowBytes + 1 + pass.x * pixelBytes
        for _ in 0..<pass.columns {
          for byte in 0..<pixelBytes { target[to + byte] = source[from + byte] }
          from += pixelBytes
          to += pass.stepX * pixelBytes
        }
      }
    }
    return result
  }
}
