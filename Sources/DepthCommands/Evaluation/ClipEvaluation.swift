import DepthImages
import DepthVideo
import MonocularDepth
import SystemEssentials

/// `depth evaluate --clip`: how true and how steady depth is over the frames of a clip.
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
  ///   - folder: As `measure render-scenes --clip` writes it.
  ///   - depthEvery: Depth is estimated for each so many frames and after cuts, and moved between.
  /// - Throws: `DepthError`.
  init(
    _ folder: String, estimators: [(name: String, estimator: DepthEstimator)], depthEvery: Int = 1
  ) throws {
    let clip = try ClipFolder(contentsOf: URL(filePath: folder))
    var rows: [Row] = []
    for (name, estimator) in estimators {
      try estimator.unit.requireMetric(for: "--clip")
      var plain: [DepthMap] = []
      var filtered: [TemporalSmoothing: [DepthMap]] = [:]
      var filters: [TemporalSmoothing: TemporalDepthFilter] = [:]
      for smoothing in TemporalSmoothing.allCases { filters[smoothing] = smoothing.temporalFilter }
      var propagations: [TemporalSmoothing: DepthPropagation] = [:]
      var motion = FilmMotion()
      var options = DepthOptions.unrefined
      options.camera = .given(clip.camera)
      for index in clip.description.frames.indices {
        let photo = try clip.photo(index)
        let depth = try estimator.depth(of: photo, options: options)
        plain.append(depth)
        let isKey = motion.next(photo).isCut || index % depthEvery == 0
        for smoothing in TemporalSmoothing.allCases {
          let moved = isKey ? nil : propagations[smoothing]?.moved(to: photo)
          let map =
            try moved ?? filters[smoothing]?.filtered(depth, photo: photo) ?? depth
          if moved == nil, depthEvery > 1 {
            propagations[smoothing, default: DepthPropagation()].keep(map, photo: photo)
          }
          filtered[smoothing, default: []].append(map)
        }
      }
      let truth = try clip.truth(height: plain[0].height, width: plain[0].width)
      for smoothing in [TemporalSmoothing.none, .exponential, .gated] {
        let measures = ClipMeasures(filtered[smoothing] ?? [], plain: plain, truth: truth)
        rows.append(
          Row(
            dataset: folder, weights: name, steady: smoothing.rawValue, frames: plain.count,
            rel: measures.rel, delta1: measures.delta1, tae: measures.tae,
            flicker: measures.flicker, stepFrames: measures.stepFrames))
      }
    }
    self.rows = rows
  }

  /// A table for people; TAE and flicker in percent.
  var table: String {
    func percent(_ value: Double?) -> String { value.map { ($0 * 100).fixed(3) } ?? "-" }
    func padded(_ texts: [String]) -> String {
      zip(texts, [32, 13, 9, 9, 9, 11, 6]).map { $0.padded(to: $1) }.joined() + "\n"
    }
    return padded(["weights", "steady", "rel", "delta1", "TAE %", "flicker %", "step"])
      + rows.map { row in
        padded([
          row.weights, row.steady, row.rel.fixed(4), row.delta1.fixed(4), percent(row.tae),
          percent(row.flicker), row.stepFrames.map { "\($0)" } ?? "-",
        ])
      }.joined()
  }
}
