import DepthBase
public import DepthImages

extension DepthMap {
  /// Gray level of pixels without a value, in every color map.
  static let noValueLevel: UInt8 = 128

  /// A viewable picture of the map. Depth cannot be recovered from the picture.
  ///
  /// The map is stretched over its own range (``normalized(near:over:)``), rounded to 256 steps and colored. Pixels
  /// without a value are mid gray. A constant map is also mid gray if the color map is `.gray`.
  ///
  /// - Parameters:
  ///   - colorMap: The colors. The last color is for the nearest point.
  ///   - near: `.black` reverses the colors.
  ///   - unit: `.disparity` has finer steps for near points; `.metres` has equal steps at all distances.
  /// - Returns: An image of the map's size.
  public func picture(
    _ colorMap: ColorMap = .gray, near: Polarity = .white, over unit: Unit = .disparity
  ) -> Image {
    let levels = normalized(near: near, over: unit).values
    // Pixels without a value have the color after the map's 256 colors.
    let colors = colorMap.colors + [UInt8](repeating: Self.noValueLevel, count: 3)
    let pixels: [UInt8] = filledArray(count: levels.count * 3) { pixels in
      let (levels, colors) = (levels.span, colors.span)
      for index in 0..<levels.count {
        let level = levels[index]  // 0…1 or NaN
        let color = level.isNaN ? 256 : Int(level * 255 + 0.5)
        pixels[index * 3] = colors[color * 3]
        pixels[index * 3 + 1] = colors[color * 3 + 1]
        pixels[index * 3 + 2] = colors[color * 3 + 2]
      }
    }
    return Image(height: height, width: width, pixels: pixels)
  }
}
