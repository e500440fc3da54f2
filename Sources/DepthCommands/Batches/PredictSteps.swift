import DepthBase
import DepthImages
import MonocularDepth
import PictureFiles
import SystemEssentials

/// The steps of `depth predict`.
struct PredictSteps: PhotoSteps {
  struct Made {
    let estimate: DepthEstimate
    /// Of resizing, the network and refinement.
    let times: [Duration]
  }

  let pipeline: MapEstimation
  let outputs: MapOutputs
  let request: DepthRequest
  /// Delivers the photo if it was read while the weights were loaded.
  let ahead: Channel<OpenedPhoto>?

  func read(_ task: PhotoTask) throws -> (image: Image, time: Duration) {
    try outputs.check(pipeline.unit, of: task.photo.path)
    if outputs.needsErrors { try pipeline.estimator.requireErrors() }
    let opened = try ahead?.receive()
    let file =
      try opened?.file ?? PhotoFile(contentsOf: task.photo.url, limits: pipeline.options.limits)
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

  func estimate(_ source: (image: Image, time: Duration), _ task: PhotoTask) throws -> Made {
    var (watch, times) = (Stopwatch(), [Duration]())
    let estimate = try pipeline.estimate(
      of: source.image, named: task.photo.path, call: task.call
    ) { step in
      if step != .resizing { times.append(watch.lap()) }
      if step == .refining { task.begin(.refining) }
    }
    times.append(watch.lap())
    if let doubt = estimate.networkMap.doubt { task.log(doubt) }
    task.tell(of: estimate, by: pipeline, usesMetres: true)
    return Made(estimate: estimate, times: times)
  }

  func write(
    _ made: Made, of source: (image: Image, time: Duration), _ task: PhotoTask
  ) throws -> PredictionRecord {
    let (depth, estimate) = (made.estimate.depth, made.estimate)
    let (resize, network, refine) = (made.times[0], made.times[1], made.times[2])
    let (estimator, threads) = (pipeline.estimator, task.call.threads)
    let identifier = try estimator.weightsSHA256(pipeline.options)
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
        "load": Duration.zero, "decode": source.time, "resize": resize, "network": network,
        "refine": refine, "encode": encode,
        "total": source.time + resize + network + refine + encode,
      ].mapValues(\.milliseconds),
      clipped: clipped)
    record.request = request
    record.metres = MetresRecord(of: estimate, by: estimator)
    record.hint = outputs.hint(for: task.photo, unit: depth.unit)
    return record
  }
}
