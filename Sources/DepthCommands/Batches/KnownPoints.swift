import DepthBase
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

  /// The memory for the points of a photo.
  ///
  /// - Throws: `DepthError` for a file that cannot be read, before the photo is.
  func bytes(of photo: PhotoInput) throws -> Int {
    try MemoryNeed(.depthFile, pixels: map(of: photo).map.values.count).bytes
  }

  /// A map moved to the points of its photo.
  ///
  /// - Throws: `DepthError`, naming the sparse file.
  func align(
    _ map: DepthMap, of photo: Image, _ run: PhotoRun
  ) throws -> (map: DepthMap, calibration: DepthCalibration) {
    let (sparse, path) = try self.map(of: run.photo)
    return try namingFailures(of: path) {
      try sparse.checkAspect(of: photo)
      return try map.aligned(
        to: sparse, guidedBy: photo, noise: noise ?? DepthMap.usualNoise, call: run.call)
    }
  }

  private func map(of photo: PhotoInput) throws -> (map: DepthMap, path: String) {
    guard let path = try files.file(of: photo) else { preconditionFailure("no sparse file") }
    do {
      let given = try GivenDepth(
        contentsOf: DepthChoice.url(of: path), DepthFileHints(unit: unit), limits: limits)
      return (given.map, path)
    } catch let error as DepthError where error.cause as? SettingAtFault == .depthUnit {
      throw DepthError(
        error.code, file: error.file,
        "does not record the unit of its values, expected --sparse-scale with their number per metre, such as 1000 for millimetres"
      )
    }
  }
}
