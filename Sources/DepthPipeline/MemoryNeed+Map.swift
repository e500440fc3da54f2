import DepthRefinement
import MonocularDepth
package import PictureFiles
package import ProcessLimits

extension MemoryNeed {
  /// The files that are made of a map, as far as they need memory.
  package struct MapFiles: Sendable, Hashable {
    /// Whether a picture of the photo's size is made of it.
    package var hasView = false
    /// Whether the photo is written once more with the map inside.
    package var hasDepthPhoto = false
    /// Whether the confidence of each pixel is written.
    package var hasConfidence = false

    package init() {}
  }

  /// Decoding a photo, estimating its depth, refining and writing the map.
  ///
  /// - Parameters:
  ///   - file: The photo.
  ///   - networkBytes: Input, activations and scratch of the network.
  ///   - source: Rows and columns of the map before refinement.
  ///   - result: Rows and columns of the refined map.
  ///   - files: What is made of it.
  package static func map(
    of file: some UndecodedPhoto, networkBytes: Int, source: (height: Int, width: Int),
    result: (height: Int, width: Int), files: MapFiles
  ) -> MemoryNeed {
    let photo = file.pixels
    let map = Double(result.height) * Double(result.width)
    let source = Double(source.height) * Double(source.width)
    let held = colorBytes * photo + valueBytes * source
    var stages = [
      file.decodingBytes,
      held + Double(networkBytes),
      // The photo at the map's size, the map stretched to it, and the result.
      held + (map == photo ? 0 : colorBytes * map) + 2 * valueBytes * map
        + JointFilter.bytes(source: source, result: map),
      // 16-bit samples, and their strips compressed and joined; floats need less.
      held + (valueBytes + 6) * map,
    ]
    if files.hasView {
      // The map stretched to the photo: values, weights, products and result; then its disparity,
      // stretched over 0…1, and the picture.
      stages.append(held + valueBytes * map + 4 * valueBytes * max(map, photo) + colorBytes * photo)
    }
    if files.hasDepthPhoto {
      // The map as 8-bit samples and both JPEGs, each as its encoder wrote it and joined.
      stages.append(held + valueBytes * map + 3 * valueBytes * map + 2 * colorBytes * (photo + map))
    }
    if files.hasConfidence {
      // The map, its errors, their confidence, and samples with their strips.
      stages.append(held + 3 * valueBytes * map + 6 * map)
    }
    return MemoryNeed(peakOf: stages, networkBytes: networkBytes)
  }
}

extension DepthPipeline {
  /// The memory that a photo takes from its decoding to the files of its map, before anything is decoded.
  ///
  /// - Parameters:
  ///   - file: The photo.
  ///   - files: What is made of the map.
  ///   - size: What errors call the map's size.
  /// - Throws: `DepthError` for a photo whose proportions a network does not take, and for a map above the limits.
  package func memoryNeed(
    for file: PhotoFile, files: MemoryNeed.MapFiles = .init(), size name: String = "the map"
  ) throws -> MemoryNeed {
    let (height, width) = (file.height, file.width)
    try estimator.checkProportions(height: height, width: width)
    let source = estimator.outputSize(height: height, width: width)
    return .map(
      of: file, networkBytes: estimator.networkBytes(height: height, width: width), source: source,
      result: try settings.size(photo: (height, width), map: source, limits: limits, named: name),
      files: files)
  }
}
