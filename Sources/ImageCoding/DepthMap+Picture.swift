public import Tensors

extension DepthMap {
  /// Grey level of pixels without a value, in every colour map.
  static let noValueLevel: UInt8 = 128

  /// A picture of the map for the eye; its numbers cannot be read back.
  ///
  /// The map is stretched over its own range (``normalized(near:over:)``), rounded to 256 steps and
  /// coloured. Pixels without a value are mid grey, and so is a constant map in `.gray`.
  ///
  /// - Parameters:
  ///   - colorMap: Its last colour is the nearest point.
  ///   - near: `.black` turns the colours over: the nearest point gets the first one.
  ///   - scale: `.disparity` shows near things in finer steps; `.metres` all distances alike.
  /// - Returns: An image of the map's size.
  public func picture(
    _ colorMap: ColorMap = .gray, near: Polarity = .white, over scale: Scale = .disparity
  ) -> Image {
    let levels = normalized(near: near, over: scale).values
    let colors = colorMap.colors
    let pixels = [UInt8](unsafeUninitializedCapacity: levels.count * 3) { pixels, count in
      levels.withUnsafeBufferPointer { levels in
        colors.withUnsafeBufferPointer { colors in
          for (index, level) in levels.enumerated() {
            let color = level.isFinite ? Int((min(1, max(0, level)) * 255).rounded()) * 3 : nil
            for channel in 0..<3 {
              pixels[index * 3 + channel] =
                color.map { colors[$0 + channel] } ?? Self.noValueLevel
            }
          }
        }
      }
      count = levels.count * 3
    }
    return Image(height: height, width: width, pixels: pixels)
  }
}
