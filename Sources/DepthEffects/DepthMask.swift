import DepthBase
public import DepthImages

/// The weight of each pixel in an effect, 0…1.
///
/// ```swift
/// let mask = try photo.focusMask(depth: depth, focus: .normalized(1))
/// try mask.picture().write(to: url)
/// ```
public struct DepthMask: Sendable, Hashable {
  /// Rows and columns.
  public let height, width: Int
  /// `height·width` values, 0…1, row 0 at the top; 0 for pixels without depth.
  public let values: [Float]

  /// - Precondition: both sides are positive and `values.count == height·width`.
  package init(height: Int, width: Int, values: [Float]) {
    precondition(height > 0 && width > 0, "mask is \(width)×\(height), expected at least 1×1")
    precondition(
      values.count == height * width,
      "\(values.count) values for a \(width)×\(height) mask, expected \(height * width)")
    (self.height, self.width, self.values) = (height, width, values)
  }

  /// The mask as a gray picture, 0…255.
  public func picture() -> Image { picture(threads: availableProcessors) }

  package func picture(threads: Int) -> Image {
    Image(
      height: height, width: width,
      pixels: grayPicture(levels, height: height, width: width, threads: threads))
  }

  /// The mask as 8-bit samples, 0…255.
  package var levels: [UInt8] { values.map { UInt8($0 * 255 + 0.5) } }

  /// The mask as 16-bit samples, 0…65535.
  package var samples: [UInt16] { values.map { UInt16($0 * 65535 + 0.5) } }
}
