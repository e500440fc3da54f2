import ArgumentParser
import DepthBase
import DepthErrors
import DepthImages
import MonocularDepth
import PictureFiles
import SystemEssentials

/// `depth calibrate`: converts known distances to a scale and a shift of 1/depth, or of relative
/// disparity.
struct Calibrate: RequestCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract:
      "Fit a correction of estimated depth to known distances.",
    discussion: """
      Give the known distances of pixels, along the camera's optical axis, by --at or --sparse:

        depth calibrate photo.jpg --at 320,240=2.4m --at 80,400=95cm
        depth predict other.jpg --calibration photo_calibration.json
        depth calibrate photo.jpg --sparse lidar.png --depth-unit millimetre

      One point corrects the scale; two or more points correct scale and shift of 1/distance by least squares. \
      --sparse uses the pixels of a depth file that have a value (at most 100 000, evenly spread), and leaves out \
      outliers. A calibration of weights of relative disparity needs two or more points or a \
      sparse file; with four points or more, outliers are left out. The scale and shift of relative disparity may \
      differ from photo to photo.

      The result is written to -o, or beside the photo as PHOTO_calibration.json. It is valid for photos of the \
      same camera and zoom, with the same weights and the same --refine.
      """)

  @Argument(
    help: "JPEG, PNG, HEIC, WebP or AVIF photo, or '-' for standard input, which needs -o.",
    completion: .file())
  var photo: String

  @OptionGroup var known: KnownDistanceOptions

  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp("Calibration file to write, or '-' for standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Replace an existing file; without this option it is an error.")
  var overwrite = false

  @OptionGroup var camera: CameraOptions
  @OptionGroup var limits: LimitOptions
  @OptionGroup var refinement: RefinementOptions
  @OptionGroup var common: CommonOptions

  var request: MapRequest {
    MapRequest(camera: camera.request, refinement: refinement.request)
  }

  func validate() throws {
    try checkRequest()
    if photo == "-", output == nil {
      throw ValidationError("a photo on standard input has no name, expected -o")
    }
    if let metres = common.weights.metres, metres != WeightsRequest.relative {
      throw ValidationError(
        "--metres is \(metres), expected none: a calibration is fitted to the network's own maps"
          .escapingControls)
    }
    if output == "-", common.json {
      throw ValidationError("--json excludes -o -")
    }
  }

  func run() throws {
    var plan = OutputPlan(
      inputs: [photo] + [known.sparse].compactMap(\.self)
        + (try common.weights.request.selection().paths),
      overwrite: overwrite)
    plan.outputs = [file].compactMap { $0.map { .init(file: $0, photo: photo) } }
    try plan.check()
    let image = try Image(
      contentsOf: photo == "-" ? Console.standardInput : URL(filePath: photo),
      limits: limits.limits)
    let sparse = try sparseMap(of: image)
    let estimator = try common.weights.request.estimator(threads: common.threads)
    try checkCount(for: estimator)
    var options = request.options
    options.limits = limits.limits
    let result = try MapEstimation(estimator, options: options)
      .estimate(of: image, named: photo, call: CallContext(threads: estimator.threads))
    var calibration = try namingFailures(of: known.sparse ?? photo) {
      if let sparse {
        return try DepthCalibration(
          sparse: sparse, depth: result.depth, refinement: RefinementMethod(refinement.refine))
      }
      return try DepthCalibration(
        known.points.map(\.point), depth: result.depth, photoHeight: image.height,
        width: image.width, refinement: RefinementMethod(refinement.refine))
    }
    calibration.weightsIdentifier = try estimator.weightsIdentifier()
    calibration.record(result.camera.camera)
    if let file { try calibration.write(to: file, overwrite: overwrite) }
    if output == "-" || common.json {
      try Console.write(String(decoding: calibration.encoded(), as: UTF8.self))
    }
    guard !common.quiet else { return }
    Console.log(calibration.summary(writtenTo: file))
    if let doubt = calibration.doubt(about: result.networkMap) {
      Console.note("\(photo): \(doubt)")
    }
  }

  /// File of the calibration; `nil` for standard output.
  private var file: URL? {
    if let output { return output == "-" ? nil : URL(filePath: output) }
    let url = URL(filePath: photo)
    let stem = url.deletingPathExtension().lastPathComponent
    return url.deletingLastPathComponent().appending(path: "\(stem)_calibration.json")
  }

  /// The depth map of `--sparse`.
  ///
  /// - Throws: `DepthError` for an unreadable map, and for a map whose proportions differ from the photo's.
  private func sparseMap(of image: Image) throws -> DepthMap? {
    guard let sparse = known.sparse else { return nil }
    let map = try GivenDepth(
      contentsOf: URL(filePath: sparse), known.unit.hints, limits: limits.limits
    ).map
    try namingFailures(of: sparse) {
      try map.unit.requireMetric(for: "--sparse")
      try map.checkAspect(of: image)
    }
    return map
  }

  /// Rejects a single point of relative disparity before the network runs.
  private func checkCount(for estimator: DepthEstimator) throws {
    guard estimator.unit == .relativeDisparity, known.points.count == 1 else { return }
    throw DepthError.onePoint.naming(photo)
  }
}
