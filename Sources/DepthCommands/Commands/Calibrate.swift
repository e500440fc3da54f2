import ArgumentParser
import DepthBase
import DepthErrors
import DepthImages
import MonocularDepth
import PictureFiles
import SystemEssentials

/// `depth calibrate`: known distances → scale and shift of 1/depth, or of relative disparity.
struct Calibrate: ParsableCommand {
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
      outliers. Weights of relative disparity give metres only after a calibration with two or more points or a \
      sparse file; with four points or more, outliers are left out. The scale and shift of relative disparity may \
      differ from photo to photo.

      The result is written to -o, or beside the photo as PHOTO_calibration.json. It is valid for photos of the \
      same camera and zoom, with the same weights and the same --refine.
      """)

  @Argument(
    help: "JPEG, PNG, HEIC, WebP or AVIF photo, or '-' for standard input, which needs -o.",
    completion: .file())
  var photo: String

  @Option(
    name: .customLong("at"),
    help: ArgumentHelp(
      """
      Known distance of one pixel: column and row, counted from 0 at the top left, and distance in m, cm or mm; \
      without a unit, metres. May be repeated; not with --sparse.
      """,
      valueName: "x,y=distance"),
    transform: { try PointOption($0) })
  var points: [PointOption] = []

  @Option(
    help: ArgumentHelp(
      """
      Depth file in metres or disparity with values at some pixels of the photo and 0 elsewhere, such as a laser \
      scanner's.
      """,
      valueName: "file"),
    completion: .file())
  var sparse: String?
  @OptionGroup var unit: DepthUnitOptions

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

  func validate() throws {
    if points.isEmpty, sparse == nil {
      throw ValidationError("no known point, expected --at x,y=distance or --sparse")
    }
    if !points.isEmpty, sparse != nil {
      throw ValidationError("--at and --sparse exclude each other, expected one")
    }
    if let option = unit.givenOptions.first, sparse == nil {
      throw ValidationError("\(option) requires --sparse")
    }
    if photo == "-", output == nil {
      throw ValidationError("standard input has no name, expected -o")
    }
    if output == "-", common.json {
      throw ValidationError("--json prints what -o - would, expected one of them")
    }
  }

  func run() throws {
    var plan = OutputPlan(
      inputs: [photo] + [sparse].compactMap { $0 } + (try common.weights.selection().paths),
      overwrite: overwrite)
    plan.outputs = [file].compactMap { $0.map { .init(file: $0, photo: photo) } }
    try plan.check()
    let image = try Image(
      contentsOf: photo == "-" ? Console.standardInput : URL(filePath: photo),
      limits: limits.limits)
    let known = try sparseMap(of: image)
    let estimator = try common.estimator()
    try checkCount(for: estimator)
    let result = try MapEstimation(
      estimator, options: refinement.request.options, camera: camera.setting,
      limits: limits.limits
    ).estimate(of: image, named: photo, call: CallContext(threads: estimator.threads))
    var calibration = try namingFailures(of: sparse ?? photo) {
      if let known {
        return try DepthCalibration(
          sparse: known, depth: result.depth, refinement: RefinementMethod(refinement.refine))
      }
      return try DepthCalibration(
        points.map(\.point), depth: result.depth, photoHeight: image.height, width: image.width,
        refinement: RefinementMethod(refinement.refine))
    }
    calibration.weightsSHA256 = try estimator.weightsSHA256()
    calibration.record(result.camera.camera)
    if let file { try calibration.write(to: file, overwrite: overwrite) }
    if output == "-" || common.json {
      try Console.write(String(decoding: calibration.encoded(), as: UTF8.self))
    }
    guard !common.quiet else { return }
    Console.log(summary(of: calibration))
    if let doubt = doubt(about: calibration, of: result.networkMap) {
      Console.log("depth: \(photo): \(doubt)".escapingControls + "\n")
    }
  }

  /// Where the calibration goes; `nil` for standard output.
  private var file: URL? {
    if let output { return output == "-" ? nil : URL(filePath: output) }
    let url = URL(filePath: photo)
    let stem = url.deletingPathExtension().lastPathComponent
    return url.deletingLastPathComponent().appending(path: "\(stem)_calibration.json")
  }

  /// The map of `--sparse`.
  ///
  /// - Throws: `DepthError`, also for a map of other proportions than the photo's.
  private func sparseMap(of image: Image) throws -> DepthMap? {
    guard let sparse else { return nil }
    let map = try DepthMap(
      contentsOf: URL(filePath: sparse), unit: unit.stored?.unit, scale: unit.stored?.scale,
      limits: limits.limits)
    try namingFailures(of: sparse) {
      try map.unit.requireMetric(for: "--sparse")
      try map.checkAspect(of: image)
    }
    return map
  }

  /// Before the network runs, one point of relative disparity is too few.
  private func checkCount(for estimator: DepthEstimator) throws {
    guard estimator.unit == .relativeDisparity, points.count == 1 else { return }
    throw InputFailure(file: photo, reason: "\(DepthError.onePoint)")
  }

  /// A note on a known distance that is at least twice or at most half of what the network estimates: its unit or its pixel may be
  /// wrong. One such point of several bends the curve that all of them share, so the point that is farthest off is looked at.
  private func doubt(about calibration: DepthCalibration, of depth: DepthMap) -> String? {
    guard calibration.mapUnit == .metres else { return nil }
    let ratios =
      if calibration.residuals.isEmpty {
        // A sparse map has no residuals: the ratio at the median depth stands for its points.
        depth.median().map { middle in
          [
            (
              of: "the known distances are",
              1 / (calibration.scale + calibration.shift * Double(middle))
            )
          ]
        } ?? []
      } else {
        calibration.residuals.map { residual in
          (
            of: "the known distance at \(residual.point.x),\(residual.point.y) is",
            residual.point.metres / residual.predicted
          )
        }
      }
    guard let (known, ratio) = ratios.max(by: { abs(log($0.1)) < abs(log($1.1)) }),
      ratio >= 2 || ratio <= 0.5
    else { return nil }
    return
      "\(known) \(ratio.fixed(2)) times what the network estimates; are unit, pixel and focal length right?"
  }

  /// `+ 0.1` or `- 0.1`.
  private func summand(_ number: String) -> String {
    number.hasPrefix("-") ? "- \(number.dropFirst())" : "+ \(number)"
  }

  private func summary(of calibration: DepthCalibration) -> String {
    let isRelative = calibration.mapUnit == .relativeDisparity
    let residuals = calibration.residuals.map { residual in
      let (x, y) = (residual.point.x, residual.point.y)
      return "  \(x),\(y): known \(residual.point.metres.fixed(3)) m, "
        + "predicted \(residual.predicted.fixed(3))\(isRelative ? "" : " m"), "
        + "calibrated \(residual.calibrated.fixed(3)) m (\(residual.error.fixed(3)) m off"
        + (residual.isLeftOut ? ", left out)\n" : ")\n")
    }
    let line =
      isRelative
      ? "1/depth = \(calibration.scale.fixed(6)) · disparity \(summand(calibration.shift.fixed(6)))\n"
      : "1/depth = \(calibration.scale.fixed(4)) / predicted \(summand(calibration.shift.fixed(4)))\n"
    let fit =
      calibration.fit.map {
        "\($0.points) points, \($0.leftOut) left out; the others are off by \($0.medianError.fixed(3)) m (median) and "
          + "\($0.rms.fixed(3)) m (rms)\n"
      } ?? ""
    return line + residuals.joined() + fit
      + (file.map { "written to \($0.relativePath.escapingControls)\n" } ?? "")
  }
}

/// A known point on the command line: `320,240=2.4m`.
struct PointOption {
  let point: DepthCalibration.KnownPoint

  /// - Throws: A validation error for any other text.
  init(_ argument: String) throws {
    let sides = argument.split(separator: "=", omittingEmptySubsequences: false)
    let place = sides[0].split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, place.count == 2, let x = place[0], let y = place[1],
      let distance = Length(word: String(sides[1]))
    else {
      throw ValidationError(
        "expected column, row and a finite distance above 0, such as 320,240=2.4m")
    }
    point = .init(x: x, y: y, metres: distance.metres)
  }
}
