import DepthRefinement
package import ProcessLimits

extension MemoryNeed {
  /// The outputs made of a map, as far as they need memory.
  package struct MapOutput: Sendable, Hashable {
    /// Pixels of the map before refinement.
    package var source: Int
    /// Rows and columns of the refined map.
    package var height, width: Int
    /// Whether a picture of the photo's size is made of it.
    package var hasView: Bool
    /// Whether the photo is written once more with the map inside.
    package var hasDepthPhoto: Bool
    /// Whether the confidence of each pixel is written.
    package var hasConfidence: Bool

    package init(
      source: Int, height: Int, width: Int, hasView: Bool = false, hasDepthPhoto: Bool = false,
      hasConfidence: Bool = false
    ) {
      (self.source, self.height, self.width) = (source, height, width)
      (self.hasView, self.hasDepthPhoto) = (hasView, hasDepthPhoto)
      self.hasConfidence = hasConfidence
    }
  }

  /// Decoding a photo, estimating its depth, refining and writing the map.
  ///
  /// - Parameters:
  ///   - file: The photo.
  ///   - networkBytes: Input, activations and scratch of the network.
  ///   - output: What is made of the estimate.
  package static func map(
    of file: some UndecodedPhoto, networkBytes: Int, output: MapOutput
  ) -> MemoryNeed {
    let photo = file.pixels
    let map = Double(output.height) * Double(output.width)
    let held = colorBytes * photo + valueBytes * Double(output.source)
    var stages = [
      file.decodingBytes,
      held + Double(networkBytes),
      // The photo at the map's size, the map stretched to it, and the result.
      held + (map == photo ? 0 : colorBytes * map) + 2 * valueBytes * map
        + JointFilter.bytes(source: Double(output.source), result: map),
      // 16-bit samples, and their strips compressed and joined; floats need less.
      held + (valueBytes + 6) * map,
    ]
    if output.hasView {
      // The map stretched to the photo: values, weights, products and result; then its disparity,
      // stretched over 0…1, and the picture.
      stages.append(held + valueBytes * map + 4 * valueBytes * max(map, photo) + colorBytes * photo)
    }
    if output.hasDepthPhoto {
      // The map as 8-bit samples and both JPEGs, each as its encoder wrote it and joined.
      stages.append(held + valueBytes * map + 3 * valueBytes * map + 2 * colorBytes * (photo + map))
    }
    if output.hasConfidence {
      // The map, its errors, their confidence, and samples with their strips.
      stages.append(held + 3 * valueBytes * map + 6 * map)
    }
    return MemoryNeed(peakOf: stages, networkBytes: networkBytes)
  }
}
