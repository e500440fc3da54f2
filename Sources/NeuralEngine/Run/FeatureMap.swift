/// The place of a feature map in a workspace: NHWC, with `pixelStride` floats from pixel to pixel.
package struct FeatureMap: Sendable, Hashable {
  package var shape: Tensor.Shape
  /// Floats from the beginning of the workspace.
  package var offset: Int
  /// At least `shape.channels`; more for a slice of a wider map.
  package var pixelStride: Int

  package init(shape: Tensor.Shape, offset: Int, pixelStride: Int? = nil) {
    (self.shape, self.offset) = (shape, offset)
    self.pixelStride = pixelStride ?? Self.pixelStride(forChannels: shape.channels)
  }

  /// Floats from pixel to pixel of a map that is not a slice.
  ///
  /// The GEMM kernel reads a dozen pixels at a time. With strides of multiples of 2 KiB, the pixels
  /// would compete for one or two sets of the first-level cache. Such maps therefore have a cache
  /// line between pixels.
  package static func pixelStride(forChannels channels: Int) -> Int {
    channels > 0 && channels % 512 == 0 ? channels + 16 : channels
  }

  /// Floats from the first pixel to the end of the last pixel.
  package var extent: Int { shape.rows * pixelStride }

  /// One image of the map, without a copy.
  package func image(_ index: Int) -> FeatureMap {
    precondition(index < shape.count, "image \(index) of a map with \(shape.count)")
    var image = self
    image.shape.count = 1
    image.offset += index * shape.area * pixelStride
    return image
  }

  /// The map's channels `range`, without a copy.
  package func channels(_ range: Range<Int>) -> FeatureMap {
    precondition(
      range.upperBound <= shape.channels, "channels \(range) of a map with \(shape.channels)")
    var slice = self
    slice.shape.channels = range.count
    slice.offset += range.lowerBound
    return slice
  }
}
