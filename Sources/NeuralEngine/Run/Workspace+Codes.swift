extension Workspace {
  /// Writes one code per channel into the border of a map that is not a slice.
  func fillBorder(of map: CodeMap, with codes: [UInt8]) {
    precondition(
      map.firstChannel == 0 && codes.count == map.shape.channels,
      "\(codes.count) codes for \(map.shape.channels) channels")
    let columns = map.shape.width + 2
    for image in 0..<map.shape.count {
      let first = unsafe UnsafeMutableRawPointer(base)
        .advanced(by: 4 * map.offset + image * map.imageStride)
        .assumingMemoryBound(to: UInt8.self)
      unsafe codes.withUnsafeBufferPointer { codes in
        guard let source = codes.baseAddress else { return }
        func fill(_ row: Int, _ column: Int) {
          unsafe (first + row * map.lineStride + column * map.pixelStride)
            .update(from: source, count: codes.count)
        }
        for column in 0..<columns {
          fill(0, column)
          fill(map.shape.height + 1, column)
        }
        for row in 1...max(map.shape.height, 1) {
          fill(row, 0)
          fill(row, columns - 1)
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
