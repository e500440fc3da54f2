/// The quantization of a feature map to unsigned 8-bit integers: value = (quantized − zeroPoint) · scale.
package struct MapQuantization: Sendable, Hashable {
  package var scale: Float
  /// 0 for maps without negative values, 128 for others.
  package var zeroPoint: UInt8

  package init(scale: Float, zeroPoint: UInt8) {
    (self.scale, self.zeroPoint) = (scale, zeroPoint)
  }

  func value(of quantized: UInt8) -> Float { (Float(quantized) - Float(zeroPoint)) * scale }
}

/// The quantization of a layer's inputs and output.
struct MapQuantizations: Sendable {
  let input: MapQuantization
  /// Quantization of each output channel; `nil` for a float result.
  let output: [MapQuantization]?
  /// Quantization of the residual; `nil` without one.
  var residual: MapQuantization?
  /// Whether results are rounded to float before quantization, as those that a ``Quantization`` reads are.
  var roundsToFloats = false
  /// Whether the input is packed, with no padding between pixels: a row of taps is one run then.
  var readsRows = false
}

/// The place of a quantized map in a workspace: NHWC, one byte per value, with a border around each image that holds the
/// zero point, so that kernels never leave the map: one pixel for kernels of 3×3 taps.
package struct QuantizedMap: Sendable, Hashable {
  package var shape: Tensor.Shape
  /// Floats from the beginning of the workspace to the border's first pixel.
  package var offset: Int
  /// Bytes from pixel to pixel.
  package var pixelStride: Int
  /// Pixels of the border on each side.
  package var border: Int
  /// The first channel of a map that is a slice, in the wider one.
  package var firstChannel = 0

  package init(shape: Tensor.Shape, offset: Int, border: Int = 1) {
    (self.shape, self.offset, self.border) = (shape, offset, border)
    pixelStride = Self.pixelStride(forChannels: shape.channels)
  }

  /// Channels are padded to a multiple of 4, except that RGB stays packed at 3, so that a row of taps loads no padding. Multiples of
  /// 2 KiB are avoided: such pixels alias in the first-level cache.
  static func pixelStride(forChannels channels: Int) -> Int {
    guard channels != 3 else { return 3 }
    let quads = (channels + 3) / 4 * 4
    return quads > 0 && quads % 2048 == 0 ? quads + 64 : quads
  }

  /// Bytes from line to line.
  package var lineStride: Int { (shape.width + 2 * border) * pixelStride }

  /// Bytes from image to image: whole cache lines, with room for a read of a quad past the last channel.
  package var imageStride: Int { ((shape.height + 2 * border) * lineStride + 4 + 63) / 64 * 64 }

  /// Floats that the map takes up.
  package var extent: Int { shape.count * imageStride / 4 }

  /// Bytes from the beginning of the workspace to the first value.
  package var start: Int { 4 * offset + border * (lineStride + pixelStride) + firstChannel }

  /// One image of the map; nothing is copied.
  package func image(_ index: Int) -> QuantizedMap {
    precondition(index < shape.count, "image \(index) of a map with \(shape.count)")
    var image = self
    image.shape.count = 1
    image.offset += index * imageStride / 4
    return image
  }

  /// The map's channels `range`; nothing is copied.
  package func channels(_ range: Range<Int>) -> QuantizedMap {
    precondition(
      range.upperBound <= shape.channels, "channels \(range) of a map with \(shape.channels)")
    var slice = self
    slice.shape.channels = range.count
    slice.firstChannel += range.lowerBound
    return slice
  }
}
