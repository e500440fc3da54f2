import DepthErrors
import DepthImages
import DepthPhotos
import MonocularDepth
import PictureFiles

/// The sparse depth files of a batch.
struct KnownPoints: Sendable {
  /// A file, or a folder with one for each photo.
  let files: DepthChoice
  /// The unit of files that do not record one.
  let unit: StoredUnit?
  /// The standard deviation of their distances, as a share; `nil` for the default.
  let noise: Double?
  let limits: ImageLimits

  /// A map moved to the points of its photo.
  ///
  /// - Throws: `DepthError`, naming the sparse file.
  func align(
    _ map: DepthMap, of photo: Image, _ run: PhotoRun
  ) throws -> (map: DepthMap, calibration: DepthCalibration) {
    guard let path = try files.file(of: run.photo) else { preconditionFailure("no sparse file") }
    let sparse = try DepthMap(
      contentsOf: DepthChoice.url(of: path), stored: unit, limits: limits)
    return try namingFailures(of: path) {
      try sparse.checkAspect(of: photo)
      return try map.aligned(
        to: sparse, guidedBy: photo, noise: noise ?? DepthMap.usualNoise, call: run.call)
    }
  }
}
