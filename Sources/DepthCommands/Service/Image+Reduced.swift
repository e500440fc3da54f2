import DepthImages

extension Image {
  /// The photo, or one of at most so many pixels.
  func reduced(toPixels pixels: Int?, threads: Int) -> Image {
    guard let pixels, pixels < height * width else { return self }
    let scale = (Double(pixels) / Double(height * width)).squareRoot()
    return resizedLanczos(
      self, height: max(1, Int(Double(height) * scale)), width: max(1, Int(Double(width) * scale)),
      threads: threads)
  }
}
