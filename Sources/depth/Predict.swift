import ArgumentParser
import DepthImages
import DepthRefinement
import MonocularDepth
import PictureFiles

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `depth predict`: photo → depth map in metres.
struct Predict: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Estimate the depth of photos, in metres.",
    discussion: """
      Reads JPEG and PNG. Writes 16-bit PNG (millimetres, 0 = no value), PFM or NumPy (32-bit metres), by \
      extension. Without -o or --output-dir the map goes beside the photo, as PHOTO_depth.png. '-' means \
      standard input or output.
      """)

  @Argument(help: "JPEG or PNG photos, or '-'.") var photos: [String]

  @Option(
    help: ArgumentHelp("Correct depth by what 'depth calibrate' wrote.", valueName: "file"))
  var calibration: String?

  @OptionGroup var camera: CameraOptions
  @OptionGroup var refinement: RefinementOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var limits: LimitOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try output.validate(photos: photos, json: common.json)
  }

  func run() throws {
    let clock = ContinuousClock()
    let start = clock.now
    try output.plan(
      for: photos, inputs: common.weightsFiles() + [calibration].compactMap { $0 }
    ).check()
    let calibration = try calibration.map { try DepthCalibration(contentsOf: URL(filePath: $0)) }
    let estimator = try common.estimator()
    if let made = calibration?.refinement, made != refinement.refine {
      Console.note(
        "depth: the calibration was fitted to maps with --refine \(made.rawValue), "
          + "this run has --refine \(refinement.refine.rawValue)\n")
    }
    if let digest = calibration?.weightsSHA256, try estimator.weightsSHA256() != digest {
      Console.note("depth: the calibration was made with other weights\n")
    }
    // Loading counts for the first photo.
    var load: Duration? = clock.now - start
    let progress = Progress(total: photos.count, isShown: !common.quiet)
    var (failures, done) = (0, 0)
    func predictAll() throws {
      for photo in photos where !Interruption.hasCome {
        progress.begin(photo)
        do {
          let record = try predict(
            photo, with: estimator, calibration: calibration, load: load ?? .zero,
            progress: progress)
          load = nil
          progress.clear()
          done += 1
          if common.json { try Console.write(jsonLine(record)) }
        } catch {
          progress.clear()
          failures += 1
          Console.report(error)
          if common.json {
            try Console.write(jsonLine(PredictionRecord(input: photo, error: "\(error)")))
          }
        }
        progress.end()
      }
    }
    if photos.count > 1 {
      try Interruption.finishingCurrent(predictAll)
      try Interruption.endIfCome(done: done, of: photos.count)
    } else {
      try predictAll()
    }
    if failures > 0 { throw ExitCode.failure }
  }

  private func predict(
    _ photo: String, with estimator: DepthEstimator, calibration: DepthCalibration?, load: Duration,
    progress: Progress
  ) throws -> PredictionRecord {
    var watch = Stopwatch()
    progress.step("reading")
    let file = try PhotoFile(
      contentsOf: photo == "-" ? Console.standardInput : URL(filePath: photo),
      limits: limits.limits)
    try refinement.requireMemory(
      for: file, named: photo, source: estimator.outputSize,
      networkBytes: estimator.networkBytes, limits: limits.limits, output: output)
    let image = try file.image()
    let decode = watch.lap()
    progress.step("estimating")
    let input = try estimator.prepared(image, camera: camera.camera(of: image, named: photo))
    let resize = watch.lap()
    let estimate: DepthEstimate
    do { estimate = try estimator.estimate(of: input) } catch {
      throw InputFailure(file: photo, reason: "\(error)")
    }
    let network = watch.lap()
    progress.step("refining")
    let refined = try refinement.refined(estimate.depth, guidedBy: image, threads: common.threads)
    // After refinement, as it was fitted: known points come back exactly.
    let depth =
      try calibration.map { calibration in
        do { return try refined.calibrated(by: calibration) } catch {
          throw InputFailure(file: photo, reason: "\(error)")
        }
      } ?? refined
    let refine = watch.lap()
    progress.step("writing")
    let identifier = try estimator.weightsSHA256()
    let outputs = try output.write(
      depth, of: image, photo: photo,
      metadata: DepthFileMetadata(software: Version.text, weightsSHA256: identifier),
      threads: common.threads)
    let encode = watch.lap()
    return PredictionRecord(
      input: photo, outputs: outputs, depth: depth,
      prediction: .init(
        weights: estimator.weights.map { $0.path(percentEncoded: false) }, weightsID: identifier,
        camera: estimate.camera, mirrored: estimator.averagesMirrored, spread: estimate.spread,
        uncertainty: estimate.uncertainty),
      milliseconds: .init(
        load: load.milliseconds, decode: decode.milliseconds, resize: resize.milliseconds,
        network: network.milliseconds, refine: refine.milliseconds, encode: encode.milliseconds,
        total: (load + decode + resize + network + refine + encode).milliseconds))
  }
}

/// Time since the last lap.
struct Stopwatch {
  private let clock = ContinuousClock()
  private var last: ContinuousClock.Instant

  init() { last = clock.now }

  mutating func lap() -> Duration {
    let now = clock.now
    defer { last = now }
    return now - last
  }
}
