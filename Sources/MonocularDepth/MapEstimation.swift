package import DepthBase
package import DepthImages
package import PictureFiles

/// An estimator with the options of its maps.
package struct MapEstimation: Sendable {
  package var estimator: DepthEstimator
  package var options: DepthOptions

  package init(_ estimator: DepthEstimator, options: DepthOptions) {
    (self.estimator, self.options) = (estimator, options)
  }

  /// The unit of finished maps.
  package var unit: DepthMap.Unit { estimator.unit(options) }

  /// The finished map of a photo.
  ///
  /// - Throws: See ``DepthEstimator``.
  package func estimate(
    of photo: Image, named name: String, call: CallContext,
    begin: (DepthEstimator.Step) -> Void = { _ in }
  ) throws -> DepthEstimate {
    try estimator.estimate(of: photo, options: options, named: name, call: call, begin: begin)
  }

  /// The network's map of a photo, before finishing.
  package func networkEstimate(
    of photo: Image, named name: String, call: CallContext
  ) throws -> DepthEstimate {
    try estimator.networkEstimate(of: photo, options: options, named: name, call: call)
  }

  /// The memory that a photo requires from its decoding to its output files, computed before
  /// decoding.
  ///
  /// - Parameters:
  ///   - isEstimate: Whether the photo's depth is estimated.
  ///   - pixels: Pixels of the output, if it may be larger than photo and map.
  ///   - size: The name of the map's size in errors.
  /// - Throws: `DepthError` for a photo with unsupported proportions, and for a map above the limits.
  package func memoryNeed(
    _ work: MemoryNeed.Work, of file: PhotoFile, isEstimate: Bool = true, pixels: Int = 0,
    size name: String = "the map"
  ) throws -> MemoryNeed {
    guard isEstimate else { return MemoryNeed(work, of: file, pixels: pixels) }
    return try estimator.memoryNeed(
      work, height: file.height, width: file.width, options: options, pixels: pixels,
      decodingBytesPerPixel: file.decodingBytesPerPixel, size: name
    ).decoding(file)
  }
}

extension MemoryNeed {
  /// Creates the need of a photo whose depth is not estimated.
  ///
  /// - Parameter pixels: Pixels of the output, if larger than the photo.
  package init(_ work: Work, of file: PhotoFile, pixels: Int = 0) {
    self = MemoryNeed(
      work, pixels: max(file.width * file.height, pixels),
      decodingBytesPerPixel: file.decodingBytesPerPixel
    ).decoding(file)
  }

  /// The need with the copies of the photo's file, which may have many bytes per pixel.
  fileprivate func decoding(_ file: PhotoFile) -> MemoryNeed {
    MemoryNeed(bytes: bytes + PhotoFile.decodingCopies * file.bytes.count)
  }
}
