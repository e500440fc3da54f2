import ArgumentParser
import DepthBase
import DepthEvaluation
import DepthRefinement
import MonocularDepth
import SystemEssentials

/// What predicts depth in an evaluation.
extension Evaluate {
  /// Names of the weights of each row; the default weights when nothing is named.
  private var weightsOfRows: [[String]] {
    let names = weights.isEmpty && predictions.isEmpty ? ["default"] : weights
    return ensemble && !names.isEmpty ? [names] : names.map { [$0] }
  }

  /// The files that predictors read.
  func predictorFiles() throws -> [String] {
    let maps = try predictions.flatMap { folder in
      let url = URL(filePath: folder)
      guard FolderListing.Identity(of: url) != nil else { return [String]() }
      return try FolderListing(of: url).files.map { url.appending(path: $0).relativePath }
    }
    return try maps
      + weightsOfRows.flatMap {
        try WeightsSelection(named: $0, averagesMirrored: mirrored).paths
      }
  }

  /// The networks, with their names in tables.
  ///
  /// - Parameters:
  ///   - threads: Threads of each network; as many as there are processors by default.
  ///   - loadingThreads: Threads that load the weights.
  func estimators(
    threads: Int?, loadingThreads: Int? = nil
  ) throws -> [(name: String, estimator: DepthEstimator)] {
    try weightsOfRows.map { names in
      try WeightsOptions.loading(names, averagesMirrored: mirrored) { named in
        let selection = input.applied(to: named)
        let estimator = try DepthEstimator(
          selection, threads: threads, loadingThreads: loadingThreads,
          precision: arithmetic.precision)
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
      + predictions.map { Predictor(folder: URL(filePath: $0), depthScale: depthScale) }
    return plain.flatMap { predictor in
      refine.map { $0 == .none ? predictor : predictor.refined(by: $0) }
    }
  }
}

extension Evaluate {
  /// Measures a clip; see `--clip`.
  func measureClip(_ dataset: String) throws {
    let evaluation = try ClipEvaluation(
      dataset, estimators: estimators(threads: threads), depthEvery: depthEvery ?? 1)
    try Console.write(
      json ? evaluation.rows.map { try jsonLine($0) }.joined() : evaluation.table)
  }
}

/// One protocol, or all of them.
struct ProtocolChoice: ExpressibleByArgument, Equatable {
  let protocols: [EvaluationProtocol]

  static let all = ProtocolChoice(protocols: EvaluationProtocol.allCases)

  init(protocols: [EvaluationProtocol]) { self.protocols = protocols }

  init?(argument: String) {
    if argument == "all" {
      self = .all
    } else if let one = EvaluationProtocol(rawValue: argument) {
      self.init(protocols: [one])
    } else {
      return nil
    }
  }

  var defaultValueDescription: String {
    protocols.count > 1 ? "all" : protocols.first?.rawValue ?? ""
  }
}
