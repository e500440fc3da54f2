import DepthBase
import DepthImages
import DepthPhotos
import MonocularDepth
import PictureFiles

/// Reads the photos of a run and obtains their depth.
struct DepthProvider: Sendable {
  let source: DepthSource
  /// The feature that requires metres, for messages; `nil` if relative depth is enough.
  let purpose: String?
  /// Whether distances are used that an assumed focal length may be wrong for.
  let usesMetres: Bool
  let unit: GivenUnit
  let limits: ImageLimits
  /// `nil` where given maps stay as they are.
  let fit: GivenMapFit?
  /// Loads the network when it is first called.
  let network: @Sendable () throws -> MapEstimation

  /// Reads a photo and its given or embedded depth, after memory for the photo and its outputs is reserved.
  ///
  /// - Parameters:
  ///   - work: The work on the photo; depends on whether its depth is estimated.
  ///   - pixels: Pixels of what is made of it, where these may be more than those of the photo.
  ///   - check: Throws for a photo of which it cannot be made.
  func read(
    _ task: PhotoTask, for work: (_ isEstimate: Bool) -> MemoryNeed.Work,
    pixels: (PhotoFile) -> Int = { _ in 0 }, check: (PhotoFile) throws -> Void = { _ in }
  ) throws -> ReadPhoto {
    var pipeline: MapEstimation?
    let photo = try source.read(
      task.photo, metresFor: fit == nil ? purpose : nil, unit: unit.stored, limits: limits
    ) { file, isEstimate in
      try check(file)
      pipeline = isEstimate ? try loaded(task) : nil
      let need = try namingFailures(of: task.photo.path) {
        try pipeline?.memoryNeed(work(true), of: file, pixels: pixels(file), size: "--resolution")
      }
      let given = try namingFailures(of: task.photo.path) {
        try MemoryNeed(
          bytes: MemoryNeed(work(false), of: file, pixels: pixels(file)).bytes
            + (fit?.networkBytes(of: file) ?? 0))
      }
      try task.admit(need ?? given, of: file)
    }
    if let fit, let depth = photo.depth {
      try fit.check(depth.unit, of: source.file(of: task.photo) ?? task.photo.path)
    }
    task.tellOfColors(photo.image)
    if let note = photo.note { task.log(note) }
    if let depth = photo.depth, let file = try source.file(of: task.photo),
      let doubt = unit.doubt(about: depth, of: file)
    {
      task.log(doubt)
    }
    return ReadPhoto(
      image: photo.image, depth: photo.depth, origin: photo.origin, pipeline: pipeline, fit: fit,
      usesMetres: usesMetres)
  }

  /// The network, whose loading counts as estimating.
  private func loaded(_ task: PhotoTask) throws -> MapEstimation {
    task.begin(.estimating)
    defer { task.begin(.reading) }
    return try network()
  }
}

/// A photo that is read, with its depth or with the network that estimates it.
struct ReadPhoto: Sendable {
  let image: Image
  /// `nil` when it is to be estimated.
  let depth: DepthMap?
  let origin: DepthOrigin
  /// `nil` where depth is not estimated.
  fileprivate let pipeline: MapEstimation?
  fileprivate let fit: GivenMapFit?
  fileprivate let usesMetres: Bool

  /// Training camera of the network; the Kinect if depth is not estimated.
  var training: TrainingCamera { pipeline?.estimator.training ?? .kinect }

  /// The arithmetic of the network; `nil` where depth is not estimated.
  var precision: String? { pipeline?.estimator.precision.rawValue }

  /// The calibration that was applied to the estimate.
  var calibration: CalibrationRecord? { pipeline?.options.calibration.map(CalibrationRecord.init) }

  /// The given or embedded depth, or else the estimate, and what is known of it.
  func map(
    _ task: PhotoTask, options change: (inout DepthOptions) -> Void = { _ in }
  ) throws -> (map: DepthMap, facts: EstimateFacts) {
    if let depth {
      let fitted = try fit?.metres(of: depth, photo: image, task)
      return (
        fitted?.map ?? depth,
        EstimateFacts(focalLengthSource: nil, uncertainty: nil, metres: fitted?.record)
      )
    }
    guard var pipeline else { preconditionFailure("neither depth nor an estimator") }
    change(&pipeline.options)
    let result = try pipeline.estimate(of: image, named: task.photo.path, call: task.call)
    task.tell(of: result, by: pipeline, usesMetres: usesMetres)
    return (result.depth, EstimateFacts(of: result, by: pipeline))
  }
}

extension DepthOrigin {
  /// Phrase for messages; `nil` for a depth file, which the user named.
  var phrase: String? {
    switch self {
    case .embedded: "depth inside the photo"
    case .network: "depth by the network"
    case .file: nil
    }
  }
}
