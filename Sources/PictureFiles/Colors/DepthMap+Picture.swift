public import DepthImages
import ThreadTeams

extension DepthMap {
  /// Gray level of pixels without a value, in every color map.
  static let noValueLevel: UInt8 = 128

  /// A picture of the map for the eye; its numbers cannot be read back.
  ///
  /// The map is stretched over its own range (``normalized(near:over:)``), rounded to 256 steps and
  /// colored. Pixels without a value are mid gray, and so is a constant map in `.gray`.
  ///
  /// - Parameters:
  ///   - colorMap: Its last color is the nearest point.
  ///   - near: `.black` turns the colors over: the nearest point gets the first one.
  ///   - unit: `.disparity` shows near things in finer steps, `.metres` all distances alike.
  /// - Returns: An image of the map's size.
  public func picture(
    _ colorMap: ColorMap = .gray, near: Polarity = .white, over unit: Unit = .disparity
  ) -> Image {
    let levels = normalized(near: near, over: unit).values
    // One more color after the map's 256: no value.
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
