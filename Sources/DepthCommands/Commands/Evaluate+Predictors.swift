import ArgumentParser
import DepthBase
import DepthEvaluation
import DepthRefinement
import MonocularDepth
import SystemEssentials

/// The predictors of an evaluation.
extension Evaluate {
  /// The files that predictors read.
  func predictorFiles() throws -> [String] {
    let maps = try networks.predictions.flatMap { folder in
      let url = URL(filePath: folder)
      guard FolderListing.Identity(of: url) != nil else { return [String]() }
      return try FolderListing(of: url).files.map { url.appending(path: $0).relativePath }
    }
    return try maps + networks.rows.flatMap { try $0.selection().paths }
  }

  /// The networks, with their names in tables.
  ///
  /// - Parameters:
  ///   - threads: Threads of each network; as many as there are processors by default.
  ///   - loadingThreads: Threads that load the weights.
  func estimators(
    threads: Int?, loadingThreads: Int? = nil
  ) throws -> [(name: String, estimator: DepthEstimator)] {
    try networks.rows.map { row in
      try row.loading { selection in
        let estimator = try DepthEstimator(
          selection, threads: threads, loadingThreads: loadingThreads, precision: row.precision)
        let precision = estimator.precision
        return (
          selection.name + (precision == .float32 ? "" : " \(precision.rawValue)"), estimator
        )
      }
    }
  }

  /// Networks first, then folders. Every worker measures a frame by itself, so that a network uses one thread.
  func predictors() throws -> [Predictor] {
    let plain =
      try estimators(threads: 1, loadingThreads: workers)
      .map { Predictor($0.estimator, name: $0.name) }
      + networks.predictions.map { Predictor(folder: URL(filePath: $0), depthScale: depthScale) }
    return plain.flatMap { predictor in
      networks.refine.map { $0 == .none ? predictor : predictor.refined(by: $0) }
    }
  }
}

extension Evaluate {
  /// Measures a clip; see `--clip`.
  func measureClip(_ dataset: String) throws {
    let evaluation = try ClipEvaluation(
      dataset, estimators: estimators(threads: threads), depthEvery: scope.depthEvery ?? 1)
    try Console.write(
      json ? evaluation.rows.map { try jsonLine($0) }.joined() : evaluation.table)
  }
}
