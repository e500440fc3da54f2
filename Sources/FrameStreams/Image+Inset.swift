import DepthBase
import DepthImages

extension Image {
  /// The picture reduced to another size and centered on black, at its original size.
  ///
  /// - Precondition: Neither side is larger than the picture's.
  func inset(_ size: PixelSize) -> Image {
    precondition(
      size.width <= width && size.height <= height,
      "\(size.width)×\(size.height) of \(width)×\(height)")
    let part = resizedLanczos(self, height: size.height, width: size.width, threads: 1).pixels
    let first = (x: (width - size.width) / 2, y: (height - size.height) / 2)
    let bars: [UInt8] = filledArray(count: 3 * width * height) { out in
      out.update(repeating: 0)
      for y in 0..<size.height {
        out.update(
          from: part.span.extracting(3 * size.width * y..<3 * size.width * (y + 1)),
          at: 3 * (width * (first.y + y) + first.x))
      }
    }
    return Image(height: height, width: width, pixels: bars, metadata: metadata)
  }
}
