import ThreadTeams

/// Memory for the activations and scratch of one run, planned before the run begins.
package final class Workspace: Sendable {
  let buffer: AlignedBuffer
  /// Floats of room.
  package var capacity: Int { buffer.count }

  package init(capacity: Int) {
    buffer = AlignedBuffer(count: capacity)
  }

  /// The first float.
  package var base: UnsafeMutablePointer<Float> { buffer.base }
}

/// Where a feature map stands in a workspace: NHWC, `pixelStride` floats from pixel to pixel.
package struct FeatureMap: Sendable, Hashable {
  package var shape: Tensor.Shape
  /// Floats from the beginning of the workspace.
  package var offset: Int
  /// At least `shape.channels`; more when the map is a slice of a wider one.
  package var pixelStride: Int

  package init(shape: Tensor.Shape, offset: Int, pixelStride: Int? = nil) {
    (self.shape, self.offset) = (shape, offset)
    self.pixelStride = pixelStride ?? Self.pixelStride(forChannels: shape.channels)
  }

  /// Floats from pixel to pixel of a map of its own.
  ///
  /// A dozen pixels are read side by side; where they lie a multiple of 2 KiB apart they would compete for
  /// one or two sets of the first-level cache, so such maps get a cache line between pixels.
  package static func pixelStride(forChannels channels: Int) -> Int {
    channels > 0 && channels % 512 == 0 ? channels + 16 : channels
  }

  /// Floats from the first pixel's first channel to behind the last pixel.
  package var extent: Int { shape.rows * pixelStride }

  /// One image of the map, without copying.
  package func image(_ index: Int) -> FeatureMap {
    precondition(index < shape.count, "image \(index) of a map with \(shape.count)")
    var image = self
    image.shape.count = 1
    image.offset += index * shape.area * pixelStride
    return image
  }

  /// The map's channels `range`, without copying.
  package func channels(_ range: Range<Int>) -> FeatureMap {
    precondition(
      range.upperBound <= shape.channels, "channels \(range) of a map with \(shape.channels)")
    var slice = self
    slice.shape.channels = range.count
    slice.offset += range.lowerBound
    return slice
  }
}

extension Workspace {
  /// Copies a tensor into its place.
  package func write(_ tensor: Tensor, to map: FeatureMap) {
    precondition(tensor.shape == map.shape, "tensor is \(tensor.shape), map is \(map.shape)")
    let channels = map.shape.channels
    tensor.elements.withUnsafeBufferPointer { source in
      guard let source = source.baseAddress else { return }
      for row in 0..<map.shape.rows {
        (base + map.offset + row * map.pixelStride).update(
          from: source + row * channels, count: channels)
      }
    }
  }

  /// Copies a feature map out.
  package func tensor(at map: FeatureMap) -> Tensor {
    let channels = map.shape.channels
    let elements = [Float](unsafeUninitializedCapacity: map.shape.elementCount) { buffer, count in
      if let out = buffer.baseAddress, channels > 0 {
        for row in 0..<map.shape.rows {
          (out + row * channels).initialize(
            from: base + map.offset + row * map.pixelStride, count: channels)
        }
      }
      count = map.shape.elementCount
    }
    return Tensor(shape: map.shape, elements: elements)
  }
}
