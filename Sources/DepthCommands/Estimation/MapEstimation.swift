import DepthBase
import DepthErrors
import DepthImages
import MonocularDepth
import PictureFiles

/// An estimator, and the options of the maps that are asked for.
struct MapEstimation: Sendable {
  var estimator: DepthEstimator
  var options: DepthOptions

  init(_ estimator: DepthEstimator, options: DepthOptions) {
    (self.estimator, self.options) = (estimator, options)
  }

  /// The unit of finished maps.
  var unit: DepthMap.Unit { estimator.unit(options) }

  /// The finished map of a photo.
  ///
  /// - Throws: As the estimator's call.
  func estimate(
    of photo: Image, named name: String, call: CallContext,
    begin: (DepthEstimator.Step) -> Void = { _ in }
  ) throws -> DepthEstimate {
    try estimator.estimate(of: photo, options: options, named: name, call: call, begin: begin)
  }

  /// The network's map of a photo, before it is finished.
  func networkEstimate(
    of photo: Image, named name: String, call: CallContext
  ) throws -> DepthEstimate {
    try estimator.networkEstimate(of: photo, options: options, named: name, call: call)
  }

  /// The memory that a photo takes from its decoding to the files that are made of it, before anything is decoded.
  ///
  /// - Parameters:
  ///   - isEstimate: Whether the photo's depth is estimated.
  ///   - pixels: Pixels of the output, if these may be more than those of photo and map.
  ///   - size: The map's size in errors.
  /// - Throws: `DepthError` for a photo whose proportions a network does not take, and for a map above the limits.
  func memoryNeed(
    _ work: MemoryNeed.Work, of file: PhotoFile, isEstimate: Bool = true, pixels: Int = 0,
    size name: String = "the map"
  ) throws -> MemoryNeed {
    guard isEstimate else { return MemoryNeed(work, of: file, pixels: pixels) }
    return try estimator.memoryNeed(
      work, height: file.height, width: file.width, options: options, pixels: pixels,
      decodingBytesPerPixel: file.decodingBytesPerPixel, size: name
    ).decoding(file)
  }

  /// A note on an unusual camera that an estimate in metres was made for.
  func unusualCamera(of estimate: DepthEstimate) -> String? {
    estimate.networkMap.unit == .metres
      ? options.camera.unusualFocalLength(of: estimate.camera) : nil
  }
}

extension DepthOptions.CameraChoice {
  /// A note on a focal length by which depth is multiplied by more than 3 or less than 1/3. It need not be wrong.
  func unusualFocalLength(of camera: PhotoCamera) -> String? {
    let factor = Double(camera.depthFactor)
    guard !Camera.usualFactors.contains(factor) else { return nil }
    let origin =
      switch self {
      case .focalLength(.fieldOfView): "--fov"
      case .focalLength where camera.source == .given: "--focal-length"
      default: camera.isExact ? "Exif, FocalPlaneXResolution" : "Exif, FocalLengthIn35mmFilm"
      }
    let millimetres = camera.camera.equivalentFocalLength.rounded(toDigits: 1)
    let times = factor.rounded(toDigits: 2)
    return "its focal length of \(millimetres) mm (35 mm equivalent, by \(origin)) "
      + "multiplies depth by \(times); if it is wrong, give it with --focal-length or --fov"
  }
}

extension MemoryNeed {
  /// Memory for a photo whose depth is not estimated.
  ///
  /// - Parameter pixels: Pixels of the output, if larger than the photo.
  init(_ work: Work, of file: PhotoFile, pixels: Int = 0) {
    self = MemoryNeed(
      work, pixels: max(file.width * file.height, pixels),
      decodingBytesPerPixel: file.decodingBytesPerPixel
    ).decoding(file)
  }

  /// The need with the copies of a file, which may be long for its pixels.
  fileprivate func decoding(_ file: PhotoFile) -> MemoryNeed {
    MemoryNeed(bytes: bytes + PhotoFile.decodingCopies * file.bytes.count)
  }
}

extension PhotoCamera {
  /// The source of the focal length as records and files name it.
  var sourceName: String { source == .given ? "option" : source.rawValue }
}
