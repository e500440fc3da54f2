import DepthBase
import DepthImages
import DepthPhotos
import MonocularDepth
import PictureFiles
import SystemEssentials

/// Reads the photos of a batch and obtains their depth.
struct DepthProvider: Sendable {
  let choice: DepthChoice
  /// The feature that requires metres, for messages; `nil` if relative depth is enough.
  var purpose: String?
  /// Whether the output depends on distances, which an assumed focal length may distort.
  var usesMetres = false
  /// The user's unit and array name for depth files.
  let hints: DepthFileHints
  let limits: ImageLimits
  /// The fit of given maps; `nil` keeps given maps unchanged.
  let fit: GivenMapFit?
  let doubts: UnitDoubts
  /// Loads the network on the first call.
  let network: @Sendable () throws -> MapEstimation

  /// Reads a photo and its given or embedded depth, after reserving memory for the photo and its outputs.
  ///
  /// - Parameters:
  ///   - work: The kind of work on the photo, depending on whether depth is estimated.
  ///   - pixels: Pixels of the output, if it may be larger than the photo.
  ///   - check: Throws for a photo from which the output cannot be made.
  func read(
    _ run: PhotoRun, for work: (_ isEstimate: Bool) -> MemoryNeed.Work,
    pixels: (PhotoFile) -> Int = { _ in 0 }, check: (PhotoFile) throws -> Void = { _ in }
  ) throws -> PhotoWithDepth {
    func admit(_ file: PhotoFile, isEstimate: Bool) throws {
      try check(file)
      let estimation = isEstimate ? try loaded(run) : nil
      let need = try namingFailures(of: run.photo.path) {
        try estimation?.memoryNeed(
          work(true), of: file, pixels: pixels(file), size: "--resolution")
          ?? MemoryNeed(
            bytes: MemoryNeed(work(false), of: file, pixels: pixels(file)).bytes
              + (fit?.networkBytes(of: file) ?? 0))
      }
      try run.admit(need, of: file)
    }
    let (url, name, depthFile) = (run.photo.url, run.photo.path, try choice.file(of: run.photo))
    let photo =
      if let depthFile {
        try PhotoWithDepth(
          contentsOf: url, name: name, depthFile: DepthChoice.url(of: depthFile),
          hints, limits: limits
        ) { try admit($0, isEstimate: false) }
      } else {
        try PhotoWithDepth(
          contentsOf: url, name: name, choice, metresFor: fit == nil ? purpose : nil,
          limits: limits, admit: admit)
      }
    if let depthFile {
      try photo.depth?.requireValues(of: DepthChoice.url(of: depthFile).relativePath)
    }
    if let fit, let depth = photo.depth { try fit.check(depth.unit, of: depthFile ?? name) }
    run.tellOfColors(photo.image)
    if let note = photo.note { run.log(note) }
    if let depthFile { doubts.tell(of: photo, depthFile, run) }
    return photo
  }

  /// The network, whose loading time counts as estimation.
  private func loaded(_ run: PhotoRun) throws -> MapEstimation {
    run.begin(.estimating)
    defer { run.begin(.reading) }
    return try network()
  }

  /// The training camera of the network, or the Kinect if the photo's depth is not estimated.
  func training(of photo: PhotoWithDepth) throws -> TrainingCamera {
    photo.depth == nil ? try network().estimator.training : .kinect
  }

  /// A photo's depth, facts about the depth, and the estimate; the estimate is `nil` for given depth.
  func map(
    of photo: PhotoWithDepth, _ run: PhotoRun,
    options change: (inout DepthOptions) -> Void = { _ in }
  ) throws -> (map: DepthMap, facts: DepthFacts, estimate: DepthEstimate?) {
    if let depth = photo.depth {
      let fitted = try fit?.metres(of: depth, photo: photo.image, run)
      return (
        fitted?.map ?? depth, DepthFacts(depthSource: photo.origin, metres: fitted?.record), nil
      )
    }
    var estimation = try network()
    change(&estimation.options)
    let result = try estimation.estimate(
      of: photo.image, named: run.photo.path, call: run.call)
    run.tell(of: result, by: estimation, usesMetres: usesMetres)
    var facts = DepthFacts(of: result, by: estimation)
    facts.depthSource = photo.origin
    return (result.depth, facts, result)
  }
}
