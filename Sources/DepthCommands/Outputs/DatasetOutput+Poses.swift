import DepthBase
import DepthErrors
import DepthGeometry
import DepthImages
import PictureFiles
import SystemEssentials

extension DatasetOutput {
  /// The photo's pose and camera in the model; `nil` without a model.
  ///
  /// A photo is matched by its whole path. If no path is equal, one path may be the end of the other.
  ///
  /// - Parameter file: The photo as stored; `nil` for standard input.
  /// - Throws: `DepthError` if the photo is missing in the model or differs in size or orientation; if another photo
  ///   has taken the pose; if the camera is not centered.
  func pose(
    of photo: PhotoInput, _ file: PhotoFile?, height: Int, width: Int
  ) throws -> (photo: COLMAPModel.Photo, camera: COLMAPModel.Camera)? {
    guard let model else { return nil }
    let (path, place) = (photo.relativePath, poses ?? "")
    let matches =
      posed[path]
      ?? model.photos.filter { $0.name.hasSuffix("/\(path)") || path.hasSuffix("/\($0.name)") }
    guard matches.count == 1, let camera = model.cameras[matches[0].camera] else {
      throw DepthError(
        .incompleteDataset,
        (matches.isEmpty ? "has no pose" : "has the name of \(matches.count) photos")
          + " in \(place), expected the photos of the model"
          + (model.photos.first.map { ", such as \($0.name)" } ?? ""))
    }
    try file.map { try checkOrientation(of: $0, camera) }
    guard (camera.height, camera.width) == (height, width) else {
      throw DepthError(
        .sizeMismatch,
        "is \(width)×\(height) and its camera in \(place) \(camera.width)×\(camera.height), expected the photos of the model"
      )
    }
    try check(camera)
    let owner = taken.update { taken in
      taken[matches[0].id] = taken[matches[0].id] ?? path
      return taken[matches[0].id]
    }
    guard let owner, owner == path else {
      throw DepthError(
        .incompleteDataset,
        "has the pose of \(owner ?? "") in \(place), \(matches[0].name), expected a pose for each photo"
      )
    }
    return (matches[0], camera)
  }

  /// Rejects a photo with an Exif rotation if COLMAP used the pixels without the rotation.
  private func checkOrientation(of file: PhotoFile, _ camera: COLMAPModel.Camera) throws {
    guard [.jpeg, .png].contains(FileSignature(of: file.bytes)), file.plainExtensions.isEmpty,
      (file.height, file.width) == (camera.height, camera.width)
    else { return }
    throw DepthError(
      .sizeMismatch,
      "is rotated by its Exif orientation, which COLMAP ignored, expected an upright photo; "
        + "rotate the file, as with 'exiftran -a', and rebuild the model")
  }

  /// Rejects a camera that estimates and normals do not support: both require one focal length and a centered axis.
  private func check(_ camera: COLMAPModel.Camera) throws {
    let (width, height) = (Double(camera.width), Double(camera.height))
    guard abs(camera.fx / camera.fy - 1) <= 0.01, abs(camera.cx / width - 0.5) <= 0.01,
      abs(camera.cy / height - 0.5) <= 0.01
    else {
      throw DepthError(
        .unsupportedFormat,
        "its camera in \(poses ?? "") has the focal lengths \(camera.fx.shortened) and \(camera.fy.shortened) and the principal point "
          + "\(camera.cx.shortened), \(camera.cy.shortened), expected equal focal lengths and the center of \(camera.width)×\(camera.height), within 1 %"
      )
    }
  }

  /// Logs the share of a map that exceeds the range of a PNG.
  ///
  /// - Throws: `DepthError` if the share is more than half and the map is in a model's unit.
  func tellOfClipping(_ depth: DepthMap, _ run: PhotoRun) throws {
    guard let share = depth.clippedShare(threads: run.call.threads) else { return }
    if model != nil, share > 0.5, let range = depth.valueRange(threads: run.call.threads) {
      throw DepthError.unencodable(
        format: "PNG",
        reason:
          "the model's distances reach \(Double(range.high).rounded(toDigits: 1)), expected below 65.5; "
          + "scale the model, as with 'colmap model_transformer'")
    }
    run.log(
      "\(DepthOutput.percent(share)) % of the map is beyond 65.535 \(model == nil ? "m" : "units of the model"), "
        + "the largest value of a PNG file, and is written as that")
  }
}
