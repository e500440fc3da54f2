import DepthImages

extension Image {
  /// The photo with left and right exchanged.
  var mirrored: Image {
    var result = pixels
    for row in stride(from: 0, to: pixels.count, by: width * 3) {
      for x in 0..<width {
        let (from, to) = (row + x * 3, row + (width - 1 - x) * 3)
        result[to] = pixels[from]
        result[to + 1] = pixels[from + 1]
        result[to + 2] = pixels[from + 2]
      }
    }
    return Image(height: height, width: width, pixels: result)
  }
}

extension DepthMap {
  /// The map with left and right exchanged.
  var mirrored: DepthMap {
    DepthMap(
      height: height, width: width, unit: unit, values: values.withRowsReversed(width: width))
  }
}
