import ArgumentParser
import DepthRefinement
import MonocularDepth

extension RefinementMethod.Name: ExpressibleByArgument {}

/// Refinement and size of a depth map.
struct RefinementOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How the map is fitted to the photo's edges: joint, bilateral, gaussian or none.",
      discussion: """
        joint filters the small map and then enlarges it; it follows the photo's edges only near edges of the map. \
        bilateral enlarges the map and then applies P. Matthes's joint bilateral filter over 25×25 pixels. gaussian \
        enlarges the map and blurs it, without the photo. none does not filter.
        """,
      valueName: "method"))
  var refine = RefinementRequest().refine

  @Option(
    help: ArgumentHelp(
      """
      How strongly --refine joint follows the photo's edges, 0 to 1; 0.5 by default. Not for other methods.
      """,
      discussion: """
        A lower value gives flatter surfaces. A higher value gives sharper edges, but also copies surface patterns \
        into the depth.
        """,
      valueName: "share"))
  var detail: Float?

  @Option(
    help: ArgumentHelp(
      """
      Size of the map: photo, network (the map's size before refinement) or WxH in pixels, such as 640x480. The \
      default is photo, but with --refine none it is network.
      """,
      valueName: "size"), transform: MapSize.argument)
  var resolution: MapSize?

  @Flag(
    help: """
      Fill pixels without a depth from nearby pixels, also those of the sky and of plain backgrounds.
      """)
  var fill = false

  var request: RefinementRequest {
    RefinementRequest(refine: refine, detail: detail, resolution: resolution, fill: fill)
  }

  /// The request for maps with these options.
  func request(_ camera: CameraOptions, _ confidence: ConfidenceOptions) -> MapRequest {
    MapRequest(
      camera: camera.request, refinement: request, minConfidence: confidence.minConfidence)
  }
}

/// The camera that took the photo.
struct CameraOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Focal length of the photo: 26mm (35 mm equivalent), 525px (pixels of the photo), exif or none. Estimated \
      metres are multiplied by a power of its ratio to the focal length of the training photos; none leaves metres \
      unscaled. \
      The default is exif if the photo's Exif has a focal length, and otherwise none. If exif is given, a photo \
      without one fails; frames of films and streams have no Exif.
      """,
      valueName: "length"), transform: FocalLengthWord.argument)
  var focalLength: FocalLengthWord?

  @Option(
    help: ArgumentHelp(
      """
      Focal length as angle of view along the photo's longer side, 1 to 179 degrees. Not with --focal-length.
      """,
      valueName: "degrees"))
  var fov: Double?

  var request: CameraRequest { CameraRequest(focalLength: focalLength, fov: fov) }

  var setting: DepthOptions.CameraChoice { request.setting }
}

/// The calibration of a camera's estimates.
struct CalibrationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Correct estimated depth by this file, which 'depth calibrate' writes. If the weights predict relative \
      disparity, the result is in metres.
      """,
      valueName: "file"),
    completion: .file())
  var calibration: String?

  var file: GivenCalibration { GivenCalibration(name: calibration) }
}
