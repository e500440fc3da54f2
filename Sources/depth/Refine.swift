import ArgumentParser
import DepthErrors
import DepthImages
import DepthRefinement
import PictureFiles

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
      Reads PNG, PFM, NumPy, gray JPEG, and the depth inside a photo; the unit is kept. \
      Without -o the result goes beside the photo, as PHOTO_depth.png. PFM and NumPy hold metres only; \
      disparity and normalized maps need PNG, which records the unit. A map has the photo's shape, or is \
      160×128 (128×160 for an upright photo), as 'depth predict --refine none' writes it.
      """)

  @Argument(help: "The photo: JPEG, PNG or, where the package was built with HEIF, HEIC.")
  var photo: String
  @Argument(help: "The depth file, or 'embedded' for the photo's own.") var depth: String
  @OptionGroup var unit: DepthUnitOptions
  @Flag(help: "Stretch a depth file whose shape is not the photo's.") var stretch = false
  @OptionGroup var refinement: RefinementOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var limits: LimitOptions

  @Option(
    help: ArgumentHelp(
      "Threads; all processors by default, at most OMP_NUM_THREADS.", valueName: "n"))
  var threads: Int?
  @Flag(help: "Print one JSON object on standard output.") var json = false
  @Flag(help: "No progress and no summary on standard error.") var quiet = false

  func validate() throws {
    try output.validate(photos: [photo], json: json)
    try CommonOptions.checkThreads(threads)
  }

  func run() throws {
    try output.plan(for: [photo], inputs: [depth]).check()
    var watch = Stopwatch()
    let given =
      depth == "embedded"
      ? nil
      : try unit.map(contentsOf: URL(filePath: depth), limits: limits.limits)
    let source = try StereoSource(
      contentsOf: photo == "-" ? Console.standardInput : URL(filePath: photo), name: photo,
      depth: given == nil ? "embedded" : nil, unit: unit, limits: limits.limits
    ) { file in
      // The depth inside a photo is at most as large as the photo.
      let size = given.map { ($0.height, $0.width) } ?? (file.height, file.width)
      try refinement.requireMemory(
        for: file, named: photo, source: size, networkBytes: 0, limits: limits.limits,
        output: output)
    }
    guard let map = given ?? source.depth else { return }
    let image = source.image
    // A photo's own depth covers it, whatever its shape.
    if !stretch, depth != "embedded" {
      do {
        try map.checkAspect(of: image)
      } catch let error as DepthError where error.code == .sizeMismatch {
        throw InputFailure(file: depth, reason: "\(error.message) (--stretch)")
      }
    }
    guard map.values.contains(where: map.hasValue) else {
      throw InputFailure(file: depth, reason: "no pixel has a value, expected depth")
    }
    try output.check(map.unit, of: photo)
    let decode = watch.lap()
    let progress = Progress(total: 1, isShown: !quiet)
    progress.begin(photo)
    defer { progress.clear() }
    let refined = try refinement.refined(map, guidedBy: image, threads: threads)
    let refine = watch.lap()
    let outputs = try output.write(
      refined, of: image, photo: photo,
      metadata: DepthFileMetadata(software: Version.text), threads: threads)
    let encode = watch.lap()
    guard json else { return }
    try Console.write(
      jsonLine(
        PredictionRecord(
          input: depth, outputs: outputs, depth: refined, prediction: nil,
          milliseconds: .init(
            load: 0, decode: decode.milliseconds, resize: 0, network: 0,
            refine: refine.milliseconds, encode: encode.milliseconds,
            total: (decode + refine + encode).milliseconds))))
  }
}

/// The unit of a depth file that does not record it.
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

  /// Reads a depth file in the unit of the options.
  ///
  /// - Throws: `DepthError`.
  func map(contentsOf url: URL, limits: ImageLimits) throws -> DepthMap {
    let stored = depthUnit.flatMap {
      StoredUnit(name: $0, near: near == .nearWhite ? .white : .black)
    }
    return try DepthMap(
      contentsOf: url, unit: stored?.unit, scale: stored?.scale, limits: limits)
  }

  func validate() throws {
    if let depthUnit, !StoredUnit.names.contains(depthUnit) {
      throw ValidationError(
        "--depth-unit is \(depthUnit), expected \(StoredUnit.names.joined(separator: ", "))")
    }
  }
}

/// A failure that no file format's error describes.
struct InputFailure: Error, CustomStringConvertible {
  let file, reason: String
  var description: String { "\(file): \(reason)" }
}
