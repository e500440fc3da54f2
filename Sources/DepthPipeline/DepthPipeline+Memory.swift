package import DepthBase
import MonocularDepth
package import PictureFiles

extension DepthPipeline {
  /// The memory that a photo takes from its decoding to the files that are made of it, before anything is decoded.
  ///
  /// - Parameters:
  ///   - work: What is made of it.
  ///   - pixels: Pixels of what is made of it, where these may be more than those of photo and map.
  ///   - size: What errors call the map's size.
  /// - Throws: `DepthError` for a photo whose proportions a network does not take, and for a map above the limits.
  package func memoryNeed(
    _ work: MemoryNeed.Work, of file: PhotoFile, pixels: Int = 0, size name: String = "the map"
  ) throws -> MemoryNeed {
    try memoryNeed(
      work, height: file.height, width: file.width, pixels: pixels,
      decodingBytesPerPixel: file.decodingBytesPerPixel, size: name)
  }

  /// The same for a photo of `height × width` pixels.
  package func memoryNeed(
    _ work: MemoryNeed.Work, height: Int, width: Int, pixels: Int = 0,
    decodingBytesPerPixel: Double, size name: String = "the map"
  ) throws -> MemoryNeed {
    try estimator.checkProportions(height: height, width: width)
    let map = estimator.outputSize(height: height, width: width)
    let result = try settings.size(
      photo: (height, width), map: map, limits: limits, named: name)
    return MemoryNeed(
      work, pixels: max(height * width, result.height * result.width, pixels),
      mapPixels: map.height * map.width,
      networkBytes: estimator.networkBytes(height: height, width: width),
      decodingBytesPerPixel: decodingBytesPerPixel)
  }
}
