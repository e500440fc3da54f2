import ArgumentParser
import AtomicFiles
import DepthImages
import DepthOptions
import DepthPipeline
import MonocularDepth
import PhotoRuns
import PictureFiles
import SystemEssentials
import ThreadTeams

/// `depth calibrate`: known distances → scale and shift of 1/depth.
struct Calibrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Correct the scale of a camera's depth maps from known distances.",
    discussion: """
      Name pixels of the photo whose distance from the camera, along its optical axis, is known:

        depth calibrate photo.jpg --at 320,240=2.4m --at 80,400=95cm
        depth predict other.jpg --calibration photo_calibration.json

      One point corrects the scale; two or more correct scale and shift of 1/distance by least squares. \
      The result goes into PHOTO_calibration.json beside the photo, or where -o says, and holds for \
      photos of the same camera and zoom, with the same weights and the same --refine.
      """)

  @Argument(help: "JPEG or PNG photo.", completion: .file()) var photo: String

  @Option(
    name: .customLong("at"),
    help: ArgumentHelp(
      "Pixel column, row (from 0) and distance in m, cm or mm; may be repeated.",
      valueName: "x,y=distance"))
  var points: [PointOption] = []

  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp("Where the calibration goes, or '-'.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Replace a file that exists.") var overwrite = false

  @OptionGroup var camera: CameraOptions
  @OptionGroup var limits: LimitOptions
  @OptionGroup var refinement: RefinementOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if points.isEmpty { throw ValidationError("no known point, expected --at x,y=distance") }
    if photo == "-", output == nil {
      throw ValidationError("standard input has no name, expected -o")
    }
    if output == "-", common.json {
      throw ValidationError("--json prints what -o - would, expected one of them")
    }
  }

  func run() throws {
    var plan = OutputPlan(inputs: [photo] + (try common.weightsFiles()), overwrite: overwrite)
    plan.outputs = [file].compactMap { $0.map { .init(file: $0, photo: photo) } }
    try plan.check()
    let image = try Image(
      contentsOf: photo == "-" ? Console.standardInput : URL(filePath: photo),
      limits: limits.limits)
    let estimator = try common.estimator()
    let result = try DepthPipeline(
      estimator, settings: refinement.settings, camera: camera.setting, limits: limits.limits
    ).map(of: image, named: photo, call: CallContext(threads: estimator.threads))
    var calibration = try DepthCalibration(
      points.map(\.point), depth: result.depth, photoHeight: image.height, width: image.width,
      refinement: refinement.refine)
    calibration.weightsSHA256 = try estimator.weightsSHA256()
    calibration.record(result.estimate.camera.camera)
    if let file { try calibration.write(to: file, overwrite: overwrite) }
    if output == "-" || common.json {
      try Console.write(String(decoding: calibration.encoded(), as: UTF8.self))
    }
    if !common.quiet { Console.note(summary(of: calibration)) }
  }

  /// Where the calibration goes; `nil` for standard output.
  private var file: URL? {
    if let output { return output == "-" ? nil : URL(filePath: output) }
    let url = URL(filePath: photo)
    let stem = url.deletingPathExtension().lastPathComponent
    return url.deletingLastPathComponent().appending(path: "\(stem)_calibration.json")
  }

  private func summary(of calibration: DepthCalibration) -> String {
    let residuals = calibration.residuals.map { residual in
      let (x, y) = (residual.point.x, residual.point.y)
      return "  \(x),\(y): known \(residual.point.metres.fixed(3)) m, "
        + "predicted \(residual.predicted.fixed(3)) m, "
        + "calibrated \(residual.calibrated.fixed(3)) m (\(residual.error.fixed(3)) m off)\n"
    }
    return "1/depth = \(calibration.scale.fixed(4)) / predicted + \(calibration.shift.fixed(4))\n"
      + residuals.joined() + (file.map { "written to \($0.relativePath.escapingControls)\n" } ?? "")
  }
}

/// A known point on the command line: `320,240=2.4m`.
struct PointOption: ExpressibleByArgument {
  let point: DepthCalibration.KnownPoint

  /// Parts of a metre, longest name first, since all end in the last one.
  private static let units = [("mm", 1000.0), ("cm", 100), ("m", 1)]

  init?(argument: String) {
    let sides = argument.split(separator: "=", omittingEmptySubsequences: false)
    guard sides.count == 2 else { return nil }
    let place = sides[0].split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard place.count == 2, let x = place[0], let y = place[1] else { return nil }
    let unit = Self.units.first { sides[1].hasSuffix($0.0) }
    guard let number = Double(sides[1].dropLast(unit?.0.count ?? 0)) else { return nil }
    point = .init(x: x, y: y, metres: number / (unit?.1 ?? 1))
  }
}
