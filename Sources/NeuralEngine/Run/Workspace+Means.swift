extension Workspace {
  /// The mean of each channel over the pixels of a map of one image, summed in 64-bit floats in the order of pixels.
  func channelMeans(of map: FeatureMap) -> [Float] {
    precondition(map.shape.count == 1, "\(map.shape.count) images, expected one")
    let (pixels, channels) = (map.shape.area, map.shape.channels)
    var sums = [Double](repeating: 0, count: channels)
    for pixel in 0..<pixels {
      let values = unsafe base + map.offset + pixel * map.pixelStride
      for c in 0..<channels { unsafe sums[c] += Double(values[c]) }
    }
    return sums.map { Float($0 / Double(pixels)) }
  }

  /// The mean of each channel over the pixels of a quantized map of one image, from exact sums of integers.
  ///
  /// - Parameter quantization: Quantization of the map.
  func channelMeans(of map: QuantizedMap, quantizedBy quantization: MapQuantization) -> [Float] {
    precondition(map.shape.count == 1, "\(map.shape.count) images, expected one")
    var sums = [Int](repeating: 0, count: map.shape.channels)
    unsafe forEachPixel(of: map) { _, pixel in
      for c in sums.indices { unsafe sums[c] += Int(pixel[c]) }
    }
    let pixels = map.shape.area
    return sums.map { sum in
      Float(
        Double(sum - pixels * Int(quantization.zeroPoint)) / Double(pixels)
          * Double(quantization.scale))
    }
  }
}
