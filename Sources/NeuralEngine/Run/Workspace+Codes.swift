extension Workspace {
  /// Writes one code per channel into the border of a map that is not a slice.
  func fillBorder(of map: CodeMap, with codes: [UInt8]) {
    precondition(
      map.firstChannel == 0 && codes.count == map.shape.channels,
      "\(codes.count) codes for \(map.shape.channels) channels")
    guard map.border > 0, let code = codes.first else { return }
    let lines = map.shape.height + 2 * map.border
    let margin = map.border * map.pixelStride
    // Most maps have one zero point: whole lines are set at once then.
    let isUniform = codes.allSatisfy { $0 == code }
    for image in 0..<map.shape.count {
      let first = unsafe UnsafeMutableRawPointer(base)
        .advanced(by: 4 * map.offset + image * map.imageStride)
        .assumingMemoryBound(to: UInt8.self)
      unsafe codes.withUnsafeBufferPointer { codes in
        guard let source = codes.baseAddress else { return }
        func fill(_ line: Int, from byte: Int, count: Int) {
          let start = unsafe first + line * map.lineStride + byte
          guard !isUniform else { return unsafe start.update(repeating: code, count: count) }
          for pixel in stride(from: 0, to: count, by: map.pixelStride) {
            unsafe (start + pixel).update(from: source, count: codes.count)
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
