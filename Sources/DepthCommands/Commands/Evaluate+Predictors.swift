import ArgumentParser
import DepthBase
import DepthEvaluation
import DepthRefinement
import MonocularDepth
import SystemEssentials

extension Evaluate {
  func predictorFiles() throws -> [String] {
    let maps = try networks.predictions.flatMap { folder in
      let url = URL(filePath: folder)
      guard FolderListing.Identity(of: url) != nil else { return [String]() }
      return try FolderListing(of: url).files.map { url.appending(path: $0).relativePath }
    }
    return try maps + networks.rows.flatMap { try $0.selection().paths }
  }

  /// Networks, followed by folders of maps. Workers measure frames concurrently, so each network uses one
  /// thread.
  func predictors() throws -> [Predictor] {
    let estimated = try networks.rows.map { row in
      try row.loading { selection in
        let estimator = try DepthEstimator(
          selection, threads: 1, loadingThreads: workers, precision: row.precision)
        return Predictor(estimator, name: selection.name + estimator.precision.nameEnding)
      }
    }
    let plain =
      estimated
      + networks.predictions.map { Predictor(folder: URL(filePath: $0), depthScale: depthScale) }
    return plain.flatMap { predictor in
      networks.refine.map { $0 == .none ? predictor : predictor.refined(by: $0) }
    }
  }
}
