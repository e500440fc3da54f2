extension Workspace {
  /// Fills the border of a map that is not a slice with one zero point per channel.
  func fillBorder(of map: QuantizedMap, with zeroPoints: [UInt8]) {
    precondition(
      map.firstChannel == 0 && zeroPoints.count == map.shape.channels,
      "\(zeroPoints.count) zero points for \(map.shape.channels) channels")
    guard map.border > 0, let first = zeroPoints.first else { return }
    let lines = map.shape.height + 2 * map.border
    let margin = map.border * map.pixelStride
    // Most maps have a single zero point, so whole lines are set at once.
    let isUniform = zeroPoints.allSatisfy { $0 == first }
    for image in 0..<map.shape.count {
      let border = unsafe UnsafeMutableRawPointer(base)
        .advanced(by: 4 * map.offset + image * map.imageStride)
        .assumingMemoryBound(to: UInt8.self)
      unsafe zeroPoints.withUnsafeBufferPointer { zeroPoints in
        guard let source = zeroPoints.baseAddress else { return }
        func fill(_ line: Int, from byte: Int, count: Int) {
          let start = unsafe border + line * map.lineStride + byte
          guard !isUniform else { return unsafe start.update(repeating: first, count: count) }
          for pixel in stride(from: 0, to: count, by: map.pixelStride) {
            unsafe (start + pixel).update(from: source, count: zeroPoints.count)
          }
        }
        for line in 0..<lines {
          if line < map.border || line >= lines - map.border {
            fill(line, from: 0, count: map.lineStride)
          } else {
            fill(line, from: 0, count: margin)
            fill(line, from: map.lineStride - margin, count: margin)
          }
        }
      }
    }
  }

  /// Fills the border of a map of one image with the values of the nearest pixel.
  func repeatBorder(of map: QuantizedMap) {
    precondition(map.border == 1 && map.shape.count == 1, "a border of \(map.border), expected 1")
    let pixel = map.pixelStride
    let first = unsafe UnsafeMutableRawPointer(base) + map.start
    for row in 0..<map.shape.height {
      let line = unsafe first + row * map.lineStride
      unsafe (line - pixel).copyMemory(from: line, byteCount: pixel)
      let last = unsafe line + (map.shape.width - 1) * pixel
      unsafe (last + pixel).copyMemory(from: last, byteCount: pixel)
    }
    // The lines include the corners, which the rows have just set.
    let start = unsafe first - pixel
    let end = unsafe start + (map.shape.height - 1) * map.lineStride
    unsafe (start - map.lineStride).copyMemory(from: start, byteCount: map.lineStride)
    unsafe (end + map.lineStride).copyMemory(from: end, byteCount: map.lineStride)
  }

  /// Copies the quantized values of a map out of the workspace.
  func values(at map: QuantizedMap) -> [UInt8] {
    unsafe (0..<map.shape.rows).flatMap { index in
      unsafe UnsafeBufferPointer(start: pixel(index, of: map), count: map.shape.channels)
    }
  }

  /// The first value of a pixel of the batch.
  func pixel(_ index: Int, of map: QuantizedMap) -> UnsafeMutablePointer<UInt8> {
    let (image, place) = index.quotientAndRemainder(dividingBy: map.shape.area)
    let (row, column) = place.quotientAndRemainder(dividingBy: map.shape.width)
    return unsafe UnsafeMutableRawPointer(base)
      .advanced(
        by: map.start + image * map.imageStride + row * map.lineStride + column * map.pixelStride
      ).assumingMemoryBound(to: UInt8.self)
  }
}
