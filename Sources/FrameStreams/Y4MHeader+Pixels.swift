import DepthImages

extension Y4MHeader {
  /// Red, green and blue of a frame.
  ///
  /// Each chroma sample counts for all pixels that it covers.
  ///
  /// - Parameters:
  ///   - planes: The frame's bytes after its line.
  ///   - matrix: How luma is made.
  ///   - range: The bytes for black and white.
  func image(_ planes: [UInt8], matrix: ColorMatrix, range: ColorRange) -> Image {
    precondition(planes.count == frameBytes, "\(planes.count) bytes, expected \(frameBytes)")
    let (width, height) = (size.width, size.height)
    let matrix = YCbCrEncoding(matrix, range).matrix
    let (chromaWidth, chromaHeight) = chromaSize
    let steps = chroma.steps
    let pixels = unsafe [UInt8](unsafeUninitializedCapacity: width * height * 3) { out, count in
      unsafe planes.withUnsafeBufferPointer { planes in
        guard let luma = planes.baseAddress, let out = out.baseAddress else { return }
        let u = unsafe luma + width * height
        let v = unsafe u + chromaWidth * chromaHeight
        for y in 0..<height {
          let (row, to) = unsafe (luma + y * width, out + y * width * 3)
          guard let steps else {
            for x in 0..<width {
              unsafe (to[x * 3], to[x * 3 + 1], to[x * 3 + 2]) = unsafe matrix.rgb(row[x], 128, 128)
            }
            continue
          }
          let chromaRow = y / steps.down * chromaWidth
          let shift = steps.across.trailingZeroBitCount
          for x in 0..<width {
            let at = chromaRow + (x >> shift)
            unsafe (to[x * 3], to[x * 3 + 1], to[x * 3 + 2]) = unsafe matrix.rgb(
              row[x], u[at], v[at])
          }
        }
      }
      count = width * height * 3
    }
    return Image(height: height, width: width, pixels: pixels)
  }
}
