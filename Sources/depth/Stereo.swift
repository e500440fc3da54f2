import ArgumentParser
import AtomicFiles
import DepthErrors
import DepthImages
import DepthRefinement
import MonocularDepth
import PictureFiles
import ProcessLimits
import StereoPhotos
import ViewSynthesis

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `depth stereo`: photo (+ depth) → left and right view in any viewing format.
struct Stereo: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a stereo photo from one photo.",
    discussion: """
      How much: --shift 1% of the width in each eye, or true parallax in metres: --baseline 63mm \
      --focal-length exif --screen-distance 2.5m. Without -o the file goes beside the photo, with the \
      ending that viewers know the format by. Formats: \
      \(StereoFormat.all.map(\.name).joined(separator: ", ")).
      """)

  @Argument(help: "The photo, JPEG or PNG.") var photo: String

  @Option(
    help: ArgumentHelp(
      "Depth file, or 'embedded' for the photo's own; estimated when not given.", valueName: "file")
  )
  var depth: String?

  @OptionGroup var unit: DepthUnitOptions
  @OptionGroup var parallax: ParallaxOptions
  @OptionGroup var camera: CameraOptions
  @OptionGroup var output: StereoOutputOptions
  @OptionGroup var limits: LimitOptions
  @OptionGroup var common: CommonOptions

  func validate() throws { try output.validate(json: common.json) }

  func run() throws {
    try plan(aspect: nil).check()
    do {
      let record = try make()
      if common.json { try Console.write(jsonLine(record)) }
    } catch {
      Console.report(error)
      if common.json {
        try Console.write(jsonLine(StereoRecord(input: photo, error: "\(error)")))
      }
      throw ExitCode.failure
    }
  }

  /// The files read and written; a quilt's name contains the photo's aspect ratio.
  private func plan(aspect: Double?) throws -> OutputPlan {
    var inputs: [String] = []
    if let depth, depth != "embedded" { inputs.append(depth) }
    if depth == nil { inputs += try common.weightsFiles() }
    return output.plan(for: photo, inputs: inputs, aspect: aspect)
  }

  private func make() throws -> StereoRecord {
    var watch = Stopwatch()
    let progress = Progress(total: 1, isShown: !common.quiet)
    progress.begin(photo)
    defer { progress.clear() }
    // The network first: its share of the memory is known only then.
    let estimator = depth == nil ? try common.estimator() : nil
    let load = watch.lap()
    progress.step("reading")
    let source = try StereoSource(
      contentsOf: photo == "-" ? Console.standardInput : URL(filePath: photo), name: photo,
      depth: depth, unit: unit, limits: limits.limits
    ) { try requireMemory(for: $0, network: estimator) }
    let decode = watch.lap()
    try plan(aspect: Double(source.image.width) / Double(source.image.height)).check()
    progress.step("estimating")
    let map = try source.depth ?? estimate(source.image, by: estimator)
    let estimated = load + watch.lap()
    progress.step("rendering")
    let files: [StereoFile]
    do {
      files = try source.image.stereoFiles(
        as: output.stereoFormat, depth: map,
        options: parallax.options(focalLength: camera.given, threads: common.threads),
        output: output.settings)
    } catch let error as DepthError where error.file == nil {
      throw InputFailure(file: photo, reason: error.message)
    }
    let rendered = watch.lap()
    let written = try output.write(files, photo: photo)
    return StereoRecord(
      input: photo, outputs: written, format: output.stereoFormat.name,
      milliseconds: .init(
        decode: decode.milliseconds, depth: estimated.milliseconds,
        views: rendered.milliseconds, write: watch.lap().milliseconds))
  }

  /// Longest side of an estimated map: the warp stretches it over the photo.
  private static let longestSide = 1024

  private func estimate(_ image: Image, by estimator: DepthEstimator?) throws -> DepthMap {
    try (estimator ?? common.estimator())
      .depth(of: image, camera: camera.camera(of: image, named: photo))
      .refined(
        guidedBy: image, resolution: .size(fitting: image, atMost: Self.longestSide),
        threads: common.threads)
  }

  /// Fails if rendering and writing the views would need more memory than is available.
  private func requireMemory(for file: PhotoFile, network: DepthEstimator?) throws {
    // A map from elsewhere is at most as large as the photo.
    let area = file.height * file.width
    let depth = network == nil ? area : min(area, Self.longestSide * Self.longestSide)
    try MemoryNeed.stereo(
      of: file, networkBytes: network?.networkBytes ?? 0, depthPixels: depth,
      pictures: output.stereoFormat.pictures(
        height: file.height, width: file.width, output: output.settings)
    ).require(for: photo)
  }
}

extension OutputResolution {
  /// The photo's size, or the largest of its shape with sides up to `side`.
  static func size(fitting image: Image, atMost side: Int) -> OutputResolution {
    let scale = min(1, Double(side) / Double(max(image.height, image.width)))
    return .size(
      height: max(Int((Double(image.height) * scale).rounded()), 1),
      width: max(Int((Double(image.width) * scale).rounded()), 1))
  }
}

/// The line that `--json` prints.
struct StereoRecord: Encodable {
  struct Milliseconds: Encodable {
    let decode, depth, views, write: Double
  }

  let input: String
  var outputs: [String] = []
  var format: String?
  var milliseconds: Milliseconds?
  var error: String?
}
