package import DepthImages
package import MonocularDepth

/// What is said of the camera that took a photo.
package enum CameraSetting: Sendable {
  /// Nothing: Exif counts, else the camera of the training.
  case unsaid
  case focalLength(Camera.FocalLength)
  /// Depth is not corrected for the focal length.
  case uncorrected

  /// The focal length that was given; `nil` without one.
  package var givenFocalLength: Camera.FocalLength? {
    guard case .focalLength(let length) = self else { return nil }
    return length
  }

  /// The camera for an estimate; `nil` leaves it to the photo.
  ///
  /// - Parameters:
  ///   - name: The photo's name, for errors.
  ///   - training: The camera of the photos that the networks were trained on.
  /// - Throws: `DepthError` for a focal length that no lens has, and for Exif's where the photo has none.
  package func camera(
    of photo: Image, named name: String, training: TrainingCamera
  ) throws -> Camera? {
    switch self {
    case .unsaid: nil
    case .uncorrected: training.camera(width: photo.width, height: photo.height)
    // An Exif block counts as such, not as an option.
    case .focalLength(.photo) where photo.metadata.focalLengthIn35mmFilm != nil: nil
    case .focalLength(let length): try naming(name) { try Camera(of: photo, focalLength: length) }
    }
  }
}

extension CameraSetting {
  /// Where the focal length of a photo's camera comes from. Where depth is not corrected, none is used: the camera of the
  /// training is assumed, as for a photo without one.
  package func source(of camera: PhotoCamera) -> PhotoCamera.Source {
    if case .uncorrected = self { .assumed } else { camera.source }
  }

  /// What is unusual about the camera of a photo whose depth in metres was estimated: a focal length by which depth is
  /// multiplied by more than 3 or less than 1/3. It need not be wrong.
  package func unusualFocalLength(of camera: PhotoCamera) -> String? {
    let factor = Double(camera.depthFactor)
    guard !Camera.usualFactors.contains(factor) else { return nil }
    let origin =
      switch self {
      case .focalLength(.fieldOfView): "--fov"
      case .focalLength where camera.source == .given: "--focal-length"
      default: camera.isExact ? "Exif, FocalPlaneXResolution" : "Exif, FocalLengthIn35mmFilm"
      }
    let millimetres = (camera.camera.equivalentFocalLength * 10).rounded() / 10
    let times = (factor * 100).rounded() / 100
    return "its focal length of \(millimetres) mm (35 mm equivalent, by \(origin)) "
      + "multiplies depth by \(times); if it is wrong, give it with --focal-length or --fov"
  }

  /// The source as records and files name it.
  package func sourceName(of camera: PhotoCamera) -> String {
    let source = source(of: camera)
    return source == .given ? "option" : source.rawValue
  }
}
