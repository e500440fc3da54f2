/// How stored pixels lie, as Exif numbers it: which side of the scene row 0 and column 0 show.
///
/// > Source: CIPA DC-008 (Exif 2.32), section 4.6.4, tag 0x0112.
package enum Orientation: Int, CaseIterable {
  case up = 1
  case upMirrored, down, downMirrored, leftMirrored, right, rightMirrored, left

  /// Whether rows become columns.
  var swapsSides: Bool { rawValue >= 5 }

  /// Stored pixels as the upright picture.
  ///
  /// - Parameters:
  ///   - pixels: `height × width × 3` bytes as stored.
  /// - Returns: The upright `height × width × 3` bytes and their sides.
  func upright(_ pixels: [UInt8], height: Int, width: Int) -> (
    pixels: [UInt8], height: Int, width: Int
  ) {
    guard self != .up else { return (pixels, height, width) }
    // Upright pixel (y, x) stands at origin + y·down + x·right of the stored ones.
    let (last, bottom) = (width - 1, (height - 1) * width)
    let (origin, down, right) =
      switch self {
      case .up: (0, width, 1)
      case .upMirrored: (last, width, -1)
      case .down: (bottom + last, -width, -1)
      case .downMirrored: (bottom, -width, 1)
      case .leftMirrored: (0, 1, width)
      case .right: (bottom, 1, -width)
      case .rightMirrored: (bottom + last, -1, -width)
      case .left: (last, -1, width)
      }
    let (rows, columns) = swapsSides ? (width, height) : (height, width)
    let turned = [UInt8](unsafeUninitializedCapacity: pixels.count) { target, count in
      pixels.withUnsafeBufferPointer { source in
        // Tiles keep both the rows read and the rows written in the first-level cache.
        let tile = 32
        for top in stride(from: 0, to: rows, by: tile) {
          for start in stride(from: 0, to: columns, by: tile) {
            for y in top..<min(rows, top + tile) {
              var from = (origin + y * down + start * right) * 3
              var to = (y * columns + start) * 3
              for _ in start..<min(columns, start + tile) {
                target[to] = source[from]
                target[to + 1] = source[from + 1]
                target[to + 2] = source[from + 2]
                from += right * 3
                to += 3
              }
            }
          }
        }
      }
      count = pixels.count
    }
    return (turned, rows, columns)
  }
}
