/// The quantization of a feature map to unsigned 8-bit integers: value = (quantized − zeroPoint) · scale.
package struct MapQuantization: Sendable, Hashable {
  package var scale: Float
  /// 0 for maps without negative values, 128 for other maps.
  package var zeroPoint: UInt8

  package init(scale: Float, zeroPoint: UInt8) {
    (self.scale, self.zeroPoint) = (scale, zeroPoint)
  }

  func value(of quantized: UInt8) -> Float { (Float(quantized) - Float(zeroPoint)) * scale }
}

/// The quantization of a layer's inputs and output.
struct MapQuantizations: Sendable {
  let input: MapQuantization
  /// The quantization of each output channel; `nil` for a float result.
  let output: [MapQuantization]?
  /// The quantization of the residual; `nil` without a residual.
  var residual: MapQuantization?
  /// Whether results are rounded to floats before quantization, as by a separate ``Quantization``.
  var roundsToFloats = false
  /// Whether the input has no padding between pixels, so that a row of taps is one run.
  var readsRows = false
}

/// The place of a quantized map in a workspace: NHWC, one byte per value. Around each image is a border of zero points,
/// one pixel wide for 3×3 taps. Kernels therefore stay inside the map.
package struct QuantizedMap: Sendable, Hashable {
  package var shape: Tensor.Shape
  /// Floats from the beginning of the workspace to the border's first pixel.
  package var offset: Int
  /// Bytes from pixel to pixel.
  package var pixelStride: Int
  /// Pixels of the border on each side.
  package var border: Int
  /// First channel of a slice in the wider map.
  package var firstChannel = 0

  package init(shape: Tensor.Shape, offset: Int, border: Int = 1) {
    (self.shape, self.offset, self.border) = (shape, offset, border)
    pixelStride = Self.pixelStride(forChannels: shape.channels)
  }

  /// Bytes per pixel. Channels are padded to a multiple of 4, but RGB stays packed at 3, so that a row of taps loads no
  /// padding. Multiples of 2 KiB are avoided, since such pixels alias in the first-level cache.
  static func pixelStride(forChannels channels: Int) -> Int {
    guard channels != 3 else { return 3 }
    let quads = (channels + 3) / 4 * 4
    return quads > 0 && quads % 2048 == 0 ? quads + 64 : quads
  }

  /// Bytes from line to line.
  package var lineStride: Int { (shape.width + 2 * border) * pixelStride }

  /// Bytes from image to image: whole cache lines, including a quad that may be read after the last channel.
  package var imageStride: Int { ((shape.height + 2 * border) * lineStride + 4 + 63) / 64 * 64 }

  /// Number of floats in the map.
  package var extent: Int { shape.count * imageStride / 4 }

  /// Bytes from the beginning of the workspace to the first value.
  package var start: Int { 4 * offset + border * (lineStride + pixelStride) + firstChannel }

  /// One image of the map, without a copy.
  package func image(_ index: Int) -> QuantizedMap {
    precondition(index < shape.count, "image \(index) of a map with \(shape.count)")
    var image = self
    image.shape.count = 1
    image.offset += index * imageStride / 4
    return image
  }

  /// The map's channels `range`, without a copy.
  package func channels(_ range: Range<Int>) -> QuantizedMap {
    precondition(
      range.upperBound <= shape.channels, "channels \(range) of a map with \(shape.channels)")
    var slice = self
    slice.shape.channels = range.count
    slice.firstChannel += range.lowerBound
    return slice
  }
}
