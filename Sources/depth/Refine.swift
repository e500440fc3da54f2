import ArgumentParser
import DepthEstimation

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `depth refine`: any depth file → a depth file with the photo's edges.
struct Refine: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Give a depth file the edges of its photo.",
    discussion: """
      Reads PNG, PFM, NumPy and grey JPEG, and the depth inside a photo; the unit stays what it is. \
      Without -o the result goes beside the photo, as PHOTO_depth.png.
      """)

  @Argument(help: "The photo: JPEG, PNG or, where the package was built with HEIF, HEIC.")
  var photo: String
  @Argument(help: "The depth file, or 'embedded' for the photo's own.") var depth: String
  @OptionGroup var unit: DepthUnitOptions
  @Flag(help: "Stretch a depth file whose shape is not the photo's.") var stretch = false
  @OptionGroup var refinement: RefinementOptions
  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("Threads; all processors by default.", valueName: "n"))
  var threads: Int?
  @Flag(help: "Print one JSON object on standard output.") var json = false

  func validate() throws {
    try output.validate(photos: [photo], json: json)
    try CommonOptions.checkThreads(threads)
  }

  func run() throws {
    var watch = Stopwatch()
    let bytes = try InputFile.bytes(
      of: photo == "-" ? Console.standardInput : URL(filePath: photo))
    let source = try StereoSource(bytes, name: photo, depth: depth, unit: unit.unit)
    guard let map = source.depth else { return }
    let image = source.image
    // A photo's own depth covers it, whatever its shape.
    if !stretch, depth != "embedded" {
      do {
        try map.checkAspect(of: image)
      } catch let error as RefinementError {
        throw InputFailure(file: depth, reason: "\(error) (--stretch)")
      }
    }
    let decode = watch.lap()
    let refined = refinement.refined(map, guidedBy: image, threads: threads)
    let refine = watch.lap()
    let outputs = try output.write(
      refined, of: image, photo: photo,
      metadata: DepthFileMetadata(software: Version.text))
    let encode = watch.lap()
    guard json else { return }
    try Console.write(
      jsonLine(
        PredictionRecord(
          input: depth, outputs: outputs, depth: refined, weights: nil,
          milliseconds: .init(
            load: 0, decode: decode.milliseconds, resize: 0, network: 0,
            refine: refine.milliseconds, encode: encode.milliseconds,
            total: (decode + refine + encode).milliseconds))))
  }
}

/// What a depth file's numbers mean, where it does not say so itself.
struct DepthUnitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Unit of a depth file that names none: millimetre, metre, disparity or normalized.",
      valueName: "unit"))
  var depthUnit: String?

  @Flag(help: ArgumentHelp("Which end of a normalized depth file is near; white by default."))
  var near: Near = .nearWhite

  enum Near: String, EnumerableFlag {
    case nearWhite, nearBlack
  }

  var unit: DepthUnit? {
    depthUnit.flatMap { DepthUnit(name: $0, near: near == .nearWhite ? .white : .black) }
  }

  func validate() throws {
    if let depthUnit, !DepthUnit.names.contains(depthUnit) {
      throw ValidationError(
        "--depth-unit is \(depthUnit), expected \(DepthUnit.names.joined(separator: ", "))")
    }
  }
}

/// A failure that no file format's error describes.
struct InputFailure: Error, CustomStringConvertible {
  let file, reason: String
  var description: String { "\(file): \(reason)" }
}
