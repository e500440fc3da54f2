import DepthBase
import DepthImages
import MonocularDepth
import PictureFiles
import SystemEssentials

/// The steps of `depth predict`.
struct PredictSteps: PhotoSteps {
  let pipeline: MapEstimation
  let outputs: MapOutputs
  let request: DepthRequest
  /// Delivers the photo if it was read while the weights were loaded.
  let ahead: Channel<OpenedPhoto>?

  func read(_ task: PhotoTask) throws -> (image: Image, time: Duration) {
    try outputs.check(pipeline.unit, of: task.photo.path)
    let opened = try ahead?.receive()
    let file = try opened?.file ?? PhotoFile(contentsOf: task.photo.url, limits: pipeline.limits)
    let need = try namingFailures(of: task.photo.path) {
      try pipeline.memoryNeed(outputs.work, of: file, size: "--resolution")
    }
    try task.admit(need, of: file)
    if let opened, let image = try opened.image?.get() {
      task.tellOfColors(image)
      return (image, opened.time)
    }
    let start = ContinuousClock.now
    let image = try file.decoded()
    task.tellOfColors(image)
    return (image, opened.map { $0.time + (.now - start) } ?? task.time(.reading))
  }

  func estimate(
    _ source: (image: Image, time: Duration), _ task: PhotoTask
  ) throws -> MapEstimation.Result {
    let result = try pipeline.map(of: source.image, named: task.photo.path, call: task.call) {
      if $0 == .refining { task.begin(.refining) }
    }
    if outputs.needsErrors {
      // Before any file is written.
      _ = try pipeline.estimator.requireErrors(result.estimate.expectedError)
    }
    if let doubt = result.estimate.depth.doubt { task.log(doubt) }
    task.tell(of: result.estimate, by: pipeline, usesMetres: true)
    return result
  }

  func write(
    _ result: MapEstimation.Result, of source: (image: Image, time: Duration), _ task: PhotoTask
  ) throws -> PredictionRecord {
    let (depth, estimate, times) = (result.depth, result.estimate, result.times)
    let (estimator, threads) = (pipeline.estimator, task.call.threads)
    let identifier = try estimator.weightsSHA256()
    let clipped = outputs.depth.clippedShare(of: depth, photo: task.photo, threads: threads)
    let written = try outputs.write(
      FinishedMap(
        depth: depth, photo: source.image, errors: estimate.expectedError,
        weightsSHA256: identifier, clipped: clipped),
      task)
    let encode = task.time(.writing)
    var record = PredictionRecord(
      input: task.photo.path, outputs: written, depth: depth,
      prediction: .init(
        estimate, by: pipeline, weights: estimator.weights.map { $0.path(percentEncoded: false) },
        weightsID: identifier),
      threads: threads,
      milliseconds: [
        "load": Duration.zero, "decode": source.time, "resize": times.resize,
        "network": times.network, "refine": times.refine, "encode": encode,
        "total": source.time + times.resize + times.network + times.refine + encode,
      ].mapValues(\.milliseconds),
      clipped: clipped)
    record.request = request
    record.hint = outputs.hint(for: task.photo, unit: depth.unit)
    return record
  }
}
