import ArgumentParser
import DepthEffects
import DepthImages
import DepthRequests

/// The lens that a photo is seen through.
struct LensOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Aperture of a real lens to simulate, such as f/1.8. Needs depth in metres and the photo's focal length, from \
      Exif, --focal-length or --fov; not with --radius or --style mask.
      """,
      valueName: "f/number"))
  var aperture: FNumber?

  @Option(
    help: ArgumentHelp(
      """
      Focal length of the simulated lens, such as 85mm on a 36 × 24 mm sensor; by default the photo's. It changes \
      only the blur, and the photo's focal length is needed too. Needs --aperture.
      """,
      valueName: "length"))
  var lens: Length?

  @Option(
    help: ArgumentHelp(
      """
      Without --aperture: radius of the largest blur disc, 0 to 10% of the photo's width, written as 1% or 0.01. 1% \
      by default.
      """,
      valueName: "share"))
  var radius: Share?

  @Option(
    help: ArgumentHelp(
      "Number of aperture blades, 3 to 16, which make blur discs polygons; 0 keeps them round.",
      valueName: "n"))
  var blades = 0

  @Option(
    help: ArgumentHelp(
      "Counterclockwise rotation of the polygon that --blades makes, -360 to 360 degrees.",
      valueName: "degrees"))
  var rotation = 0.0

  @Option(
    help: ArgumentHelp(
      """
      Method of the blur. lens blurs each pixel by a disc whose size depends on the pixel's depth. mask is O. L. \
      Brown's method: it mixes the photo and one blurred copy of it by the mask that --slope, --width and --scaling \
      describe. --aperture and --blades are only for lens.
      """,
      valueName: "name"))
  var style = LensRequest.Style.lens

  func validate() throws { try namingOptions(request.check) }

  var request: LensRequest {
    var request = LensRequest()
    (request.aperture, request.lens, request.radius) = (aperture, lens, radius)
    (request.blades, request.rotation, request.style) = (blades, rotation, style)
    return request
  }
}
