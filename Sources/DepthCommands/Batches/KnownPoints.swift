import DepthBase
import DepthErrors
import DepthImages
import DepthPhotos
import MonocularDepth
import PictureFiles

/// The sparse depth files of a batch.
struct KnownPoints: Sendable {
  /// A file, or a folder with one file for each photo.
  let files: DepthChoice
  /// The unit of files that do not record a unit.
  let unit: StoredUnit?
  /// The standard deviation of the files' distances, as a share of the distance; `nil` for the
  /// default share.
  let noise: Double?
  let limits: ImageLimits

  /// Reads the points of a photo, before the photo itself is read.
  ///
  /// - Returns: The size of the points in bytes.
  /// - Throws: `DepthError`.
  func read(_ run: PhotoRun) throws -> Int {
    guard let path = try files.file(of: run.photo) else { preconditionFailure("no sparse file") }
    do {
      let map = try GivenDepth(
        contentsOf: DepthChoice.url(of: path), DepthFileHints(unit: unit), limits: limits
      ).map
      run.points = (map, path)
      return MemoryNeed(.depthFile, pixels: map.values.count).bytes
    } catch let error as DepthError where error.cause as? SettingAtFault == .depthUnit {
      throw DepthError(
        error.code, file: error.file,
        "does not record the unit of its values, expected --sparse-scale with their number per metre, such as 1000 for millimetres"
      )
    }
  }

  /// Aligns a map with the known points of a photo. ``read(_:)`` must have read the points.
  ///
  /// - Throws: `DepthError`, naming the sparse file.
  func align(
    _ map: DepthMap, of photo: Image, _ run: PhotoRun
  ) throws -> (map: DepthMap, calibration: DepthCalibration) {
    guard let (sparse, file) = run.points.take() else { preconditionFailure("no points") }
    return try namingFailures(of: file) {
      try sparse.checkAspect(of: photo)
      return try map.aligned(
        to: sparse, guidedBy: photo, noise: noise ?? DepthMap.usualNoise, call: run.call)
    }
  }
}
