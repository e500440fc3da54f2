import DepthImages
package import DepthPipeline

/// The camera that took a photo.
package struct CameraRequest: Request {
  package var focalLength: FocalLengthWord?
  /// Angle of view along the photo's longer side, 1 to 179 degrees.
  package var fov: Double?

  package init() {}

  package func check() throws(InvalidRequest) {
    try checkExclusive(["focalLength": focalLength != nil, "fov": fov != nil])
    try check("fov", fov, in: 1...179, unit: "degrees")
  }

  package var setting: CameraSetting {
    if let fov { return .focalLength(.fieldOfView(fov)) }
    guard let focalLength else { return .unsaid }
    return focalLength.length.map { .focalLength($0) } ?? .uncorrected
  }
}
