import DepthBase
import DepthImages

/// The steps of a joint filter on one map. Lengths are in pixels of this map, whatever the size of
/// a step.
struct JointSteps: Sendable {
  let filter: JointFilter
  let map: WeightedMap
  /// Whether values are disparities instead of shares of 0…1.
  let relative: Bool
  let call: CallContext

  var threads: Int { call.threads }

  /// The map after all passes at the size of `guide`, weighted for upsampling.
  ///
  /// - Parameter gate: The gate; no pixel is filtered where it is shut. `nil` filters all pixels.
  /// - Throws: `CancellationError`.
  func refined(
    at guide: Image, sigma: Float, sigmaRange: Float, sharpening: Float, backProjection: Float,
    gate: EdgeGate?
  ) throws -> WeightedMap {
    var working = downweightingSlopes(map.sharpened(sharpening, threads: threads))
    let blocks = gate?.openBlocks(
      height: guide.height, width: guide.width, reach: 3, threads: threads)
    let trust = backProjection > 0 ? downweightingSlopes(map).weights.map { $0 * $0 } : []
    for _ in 0..<filter.passes {
      let result = try weighted(
        filtered(working, guide: guide, sigma: sigma, sigmaRange: sigmaRange, blocks: blocks),
        at: guide)
      working = downweightingSlopes(
        map.backProjected(
          onto: result, share: backProjection, trust: trust, reciprocal: relative,
          threads: threads))
    }
    // Weights are squared, so that pixels of uncertain depth count little even if their color
    // matches.
    return working.with(weights: working.weights.map { $0 * $0 })
  }

  /// Result of one pass at the size of `guide`; NaN for no value.
  ///
  /// - Throws: `CancellationError`.
  private func filtered(
    _ working: WeightedMap, guide: Image, sigma: Float, sigmaRange: Float,
    blocks: FilteredBlocks?
  ) throws -> [Float] {
    let sigma = sigma * Float(guide.height) / Float(map.height)
    let result = jointBilateral(
      working, guide: guide, radius: Int((3 * sigma).rounded(.up)), sigmaSpatial: sigma,
      sigmaRange: sigmaRange, missing: .nan, blocks: blocks, threads: threads,
      cancellation: call.cancellation)
    try call.cancellation?.check()
    return result
  }

  /// - Throws: `CancellationError`.
  func upsampled(
    _ coarse: WeightedMap, guide: Image, photo: Image, _ window: UpsamplingWindow,
    sigmaRange: Float, reciprocal: Bool = false, missing: Float = .nan,
    blocks: FilteredBlocks? = nil, edges: FilteredBlocks? = nil
  ) throws -> [Float] {
    let result = jointUpsampled(
      coarse, guide: guide, photo: photo, window: window, sigmaRange: sigmaRange,
      reciprocal: reciprocal, missing: missing, blocks: blocks, edges: edges,
      threads: threads, cancellation: call.cancellation)
    try call.cancellation?.check()
    return result
  }

  /// The map with reduced weights where it is steep.
  func downweightingSlopes(_ working: WeightedMap) -> WeightedMap {
    working.downweightingSlopes(
      filter.edgeTolerance * Float(map.height) / Float(working.height), relative: relative,
      threads: threads)
  }

  /// The values with weight 1, except for NaN.
  func weighted(_ values: [Float], at guide: Image) -> WeightedMap {
    let weights: [Float] = filledRows(
      height: values.count, width: 1, grain: 1 << 16, threads: threads
    ) { range, out in
      let values = values.span.extracting(range)
      precondition(values.count == out.count)
      for i in 0..<out.count { out[i] = values[i].isNaN ? 0 : 1 }
    }
    return WeightedMap(
      height: guide.height, width: guide.width, values: values, weights: weights)
  }
}
