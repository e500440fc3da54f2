import DepthImages
import MonocularDepth

extension MapEstimation {
  /// A note on an estimate in metres with an unusual camera.
  func unusualCamera(of estimate: DepthEstimate) -> String? {
    estimate.networkMap.unit == .metres
      ? options.camera.unusualFocalLength(of: estimate.camera) : nil
  }
}

extension DepthOptions.CameraChoice {
  /// A note on a focal length that multiplies depth by more than 3 or less than 1/3. Such a focal
  /// length may be correct.
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
      + "multiplies depth by \(times); if it is wrong, give the right one with --focal-length or --fov"
  }
}

extension PhotoCamera {
  /// The name of the focal length's source in records and files.
  var sourceName: String { source == .given ? "option" : source.rawValue }
}
