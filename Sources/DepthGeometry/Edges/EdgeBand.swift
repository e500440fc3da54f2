import DepthBase

/// The pixels within a distance of a jump or of a pixel without a value.
struct EdgeBand: Sendable {
  let height, width: Int
  /// ``cut`` or both bits for a pixel in the band; 0 for a trusted pixel.
  let bytes: [UInt8]

  /// A jump or a pixel without a value is near.
  static let cut: UInt8 = 1
  /// A jump between two values is near.
  static let jump: UInt8 = 2

  /// - Parameters:
  ///   - connections: See ``DepthSurface/connections``.
  ///   - disparity: Disparities of the same pixels; 0 for no value.
  ///   - reach: The reach in pixels along rows and columns, at least 1. A reach of 1 selects the pixels at the
  ///     jump itself.
  init(
    _ connections: [UInt8], _ disparity: [Float], height: Int, width: Int, reach: Int, threads: Int
  ) {
    (self.height, self.width) = (height, width)
    let (r, w) = (DepthSurface.connectsRight, DepthSurface.connectsDown)
    var bytes: [UInt8] = filledRows(
      height: height, width: width, grain: DepthSurface.grain, threads: threads
    ) { rows, out in
      let (bits, d) = (connections.span, disparity.span)
      out.forEachRow(rows, width: width) { y, row in
        for x in 0..<width {
          let i = y * width + x
          var found: UInt8 = 0
          func look(_ neighbor: Int) {
            found |= d[i] > 0 && d[neighbor] > 0 ? Self.cut | Self.jump : Self.cut
          }
          if x + 1 < width, bits[i] & r == 0 { look(i + 1) }
          if y + 1 < height, bits[i] & w == 0 { look(i + width) }
          if x > 0, bits[i - 1] & r == 0 { look(i - 1) }
          if y > 0, bits[i - width] & w == 0 { look(i - width) }
          row[x] = found
        }
      }
    }
    // A band of radius r, shifted both ways by up to 2r + 1 pixels, has no gap.
    var radius = 0
    while radius < reach - 1 {
      let shift = min(2 * radius + 1, reach - 1 - radius)
      bytes = Self.widened(bytes, height, width, by: shift, threads: threads)
      radius += shift
    }
    self.bytes = bytes
  }

  /// Widens the band by pixels that are `shift` rows or columns away.
  private static func widened(
    _ bytes: [UInt8], _ height: Int, _ width: Int, by shift: Int, threads: Int
  ) -> [UInt8] {
    let across: [UInt8] = filledRows(
      height: height, width: width, grain: DepthSurface.grain, threads: threads
    ) { rows, out in
      out.forEachRow(rows, width: width) { y, row in
        let from = bytes.span.extracting(y * width..<(y + 1) * width)
        for x in 0..<width { row[x] = from[x] }
        guard shift < width else { return }
        for x in shift..<width { row[x] |= from[x - shift] }
        for x in 0..<width - shift { row[x] |= from[x + shift] }
      }
    }
    return filledRows(height: height, width: width, grain: DepthSurface.grain, threads: threads) {
      rows, out in
      out.forEachRow(rows, width: width) { y, row in
        let middle = across.span.extracting(y * width..<(y + 1) * width)
        let (top, bottom) = (max(y - shift, 0), min(y + shift, height - 1))
        let above = across.span.extracting(top * width..<(top + 1) * width)
        let below = across.span.extracting(bottom * width..<(bottom + 1) * width)
        for x in 0..<width { row[x] = middle[x] | above[x] | below[x] }
      }
    }
  }

  /// The distance of each pixel to the nearest trusted pixels above and below, in pixels; `UInt16.max` if none
  /// is near.
  func verticalDistances(threads: Int) -> (above: [UInt16], below: [UInt16]) {
    let both = parallelMap(2, threads: threads) { distances(fromTop: $0 == 0) }
    return (both[0], both[1])
  }

  /// Computes distances row by row from the previous row.
  private func distances(fromTop: Bool) -> [UInt16] {
    let bytes = bytes.span
    return filledArray(count: bytes.count) { distances in
      for n in 0..<height {
        let row = (fromTop ? n : height - 1 - n) * width
        let before = fromTop ? row - width : row + width
        for i in row..<row + width {
          let last = n == 0 ? UInt16.max : distances[i - row + before]
          distances[i] = bytes[i] == 0 ? 0 : last == .max ? .max : last + 1
        }
      }
    }
  }
}
