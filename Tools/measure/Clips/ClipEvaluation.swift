import DepthBase
import DepthImages
import DepthVideo
import MonocularDepth
import SystemEssentials

/// Accuracy and temporal stability of a network's depth over the frames of a clip, with each temporal filter.
struct ClipEvaluation {
  /// One row of the table, and its line of JSON.
  struct Row: Encodable {
    let dataset, weights, steady: String
    let frames: Int
    let rel, delta1: Double
    let tae, flicker: Double?
    let stepFrames: Int?
  }

  let rows: [Row]

  /// - Parameters:
  ///   - weights: The network's name.
  ///   - depthEvery: Depth is estimated for every nth frame and after cuts, and moved in between.
  /// - Throws: `DepthError`, also for a network of relative disparity.
  init(
    _ clip: ClipFolder, weights: String, by estimator: DepthEstimator, depthEvery: Int = 1
  ) throws {
    try estimator.unit.requireMetric(for: "a clip")
    var options = DepthOptions.unrefined
    options.camera = .given(clip.camera)
    let estimation = MapEstimation(estimator, options: options)
    let call = CallContext(threads: estimator.threads)
    let pipelines = [TemporalSmoothing.none, .exponential, .gated].map { smoothing in
      (
        smoothing,
        FramePipeline(
          estimation, smoothing: smoothing, threads: estimator.threads, findsMotion: true,
          framesPerSecond: clip.description.rate, depthEvery: depthEvery)
      )
    }
    var plain: [DepthMap] = []
    var steady = [[DepthMap]](repeating: [], count: pipelines.count)
    for (index, frame) in clip.description.frames.enumerated() {
      let photo = try clip.photo(index)
      let estimate = try estimation.estimate(of: photo, named: frame.photo, call: call)
      plain.append(estimate.depth)
      let estimated = index % depthEvery == 0 ? estimate : nil
      for (number, (_, pipeline)) in pipelines.enumerated() {
        let map = try pipeline.stabilized(photo, named: frame.photo, estimated)
          .finished(by: estimation, call: call)
        steady[number].append(map)
      }
    }
    let truth = try clip.truth(height: plain[0].height, width: plain[0].width)
    rows = zip(pipelines, steady).map { pipeline, maps in
      let measures = ClipMeasures(maps, plain: plain, truth: truth)
      return Row(
        dataset: clip.url.relativePath, weights: weights, steady: pipeline.0.rawValue,
        frames: plain.count, rel: measures.rel, delta1: measures.delta1, tae: measures.tae,
        flicker: measures.flicker, stepFrames: measures.stepFrames)
    }
  }
}
