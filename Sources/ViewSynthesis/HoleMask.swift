import DepthImages

/// The mask of a view's pixels to which no pixel of the photo was moved.
package struct HoleMask: Sendable, Hashable {
  /// Rows and columns.
  package let height, width: Int
  /// `height · width` bytes, 255 in holes and 0 elsewhere; row 0 at the top.
  package let values: [UInt8]

  /// - Precondition: both sides are positive and `values.count == height·width`.
  package init(height: Int, width: Int, values: [UInt8]) {
    precondition(height > 0 && width > 0, "mask is \(width)×\(height), expected at least 1×1")
    precondition(
      values.count == height * width, "\(values.count) mask bytes for \(width)×\(height) pixels")
    (self.height, self.width, self.values) = (height, width, values)
  }

  /// Share of the pixels that are holes, 0…1.
  package var share: Double {
    Double(values.reduce(0) { $0 + ($1 == 0 ? 0 : 1) }) / Double(max(1, values.count))
  }

  /// The mask as a picture: holes are white, all other pixels black.
  func image(threads: Int) -> Image {
    Image(
      height: height, width: width,
      pixels: grayPicture(values, height: height, width: width, threads: threads))
  }
}
