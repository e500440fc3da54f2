extension Workspace {
  /// Writes one code per channel into the border of a map that is not a slice.
  func fillBorder(of map: CodeMap, with codes: [UInt8]) {
    precondition(
      map.firstChannel == 0 && codes.count == map.shape.channels,
      "\(codes.count) codes for \(map.shape.channels) channels")
    let (lines, columns) = (
      map.shape.height + 2 * map.border, map.shape.width + 2 * map.border
    )
    for image in 0..<map.shape.count {
      let first = unsafe UnsafeMutableRawPointer(base)
        .advanced(by: 4 * map.offset + image * map.imageStride)
        .assumingMemoryBound(to: UInt8.self)
      unsafe codes.withUnsafeBufferPointer { codes in
        guard let source = codes.baseAddress else { return }
        func fill(_ line: Int, _ pixels: Range<Int>) {
          for column in pixels {
            unsafe (first + line * map.lineStride + column * map.pixelStride)
              .update(from: source, count: codes.count)
          }
        }
        for line in 0..<lines {
          if line < map.border || line >= lines - map.border {
            fill(line, 0..<columns)
          } else {
            fill(line, 0..<map.border)
            fill(line, columns - map.border..<columns)
          }
        }
      }
    }
  }

  /// Writes codes into a map; its border is left as it is.
  package func write(_ codes: [UInt8], to map: CodeMap) {
    precondition(codes.count == map.shape.elementCount, "\(codes.count) codes for \(map.shape)")
    unsafe forEachPixel(of: map) { index, pixel in
      for c in 0..<map.shape.channels { unsafe pixel[c] = codes[index * map.shape.channels + c] }
    }
  }

  /// Copies the codes of a map out of the workspace.
  package func codes(at map: CodeMap) -> [UInt8] {
    var codes: [UInt8] = []
    codes.reserveCapacity(map.shape.elementCount)
    unsafe forEachPixel(of: map) { _, pixel in
      for c in 0..<map.shape.channels { unsafe codes.append(pixel[c]) }
    }
    return codes
  }

  private func forEachPixel(
    of map: CodeMap, _ body: (_ index: Int, _ pixel: UnsafeMutablePointer<UInt8>) -> Void
  ) {
    for index in 0..<map.shape.rows {
      let (image, place) = index.quotientAndRemainder(dividingBy: map.shape.area)
      let (row, column) = place.quotientAndRemainder(dividingBy: map.shape.width)
      let pixel = unsafe UnsafeMutableRawPointer(base)
        .advanced(
          by: map.start + image * map.imageStride + row * map.lineStride
            + column * map.pixelStride
        ).assumingMemoryBound(to: UInt8.self)
      unsafe body(index, pixel)
    }
  }
}
