import ArgumentParser
import DepthImages
import DepthPipeline
import DepthRequests

/// The camera that took the photo.
struct CameraOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Focal length of the photo: 26mm (35 mm equivalent), 525px (pixels of the photo), exif or none. Estimated \
      metres are multiplied by its ratio to the focal length of the training photos; none leaves metres unscaled. \
      The default is exif if the photo's Exif has a focal length, and otherwise none. If exif is given, a photo \
      without one fails; frames of films and streams have no Exif.
      """,
      valueName: "length"))
  var focalLength: FocalLengthWord?

  @Option(
    help: ArgumentHelp(
      """
      Focal length as angle of view along the photo's longer side, 1 to 179 degrees. Not with --focal-length.
      """,
      valueName: "degrees"))
  var fov: Double?

  func validate() throws { try namingOptions(request.check) }

  var request: CameraRequest {
    var request = CameraRequest()
    (request.focalLength, request.fov) = (focalLength, fov)
    return request
  }

  var setting: CameraSetting { request.setting }
}
