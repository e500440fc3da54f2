import DepthErrors
import MonocularDepth
import SystemEssentials

/// The networks that make an estimate.
struct WeightsRequest: Encodable, Sendable {
  /// Names and files; several are one ensemble.
  var names = ["default"]
  var mirrored = false
  /// Shorter side of the network's input; `nil` for its own.
  var inputSize: Int?
  /// Training data of published weights; `nil` if the file says it.
  var kind: WeightsKind?
  var precision = Precision.auto

  /// The files that the names mean.
  func selection() throws -> WeightsSelection {
    var selection = try WeightsSelection(named: names, averagesMirrored: mirrored)
    (selection.inputSize, selection.kind) = (inputSize, kind)
    return selection
  }

  /// The files of a selection that the user named by their paths. Those of the package get a new time with every build.
  func namedFiles(of selection: WeightsSelection) -> [String] {
    let environment = ProcessInfo.processInfo.environment["DEPTH_WEIGHTS"] ?? ""
    let all =
      names
      + (WeightsLocation.isFromEnvironment(names)
        ? environment.split(separator: ":").map(String.init) : [])
    let named = Set(all.map { URL(filePath: $0) })
    return selection.files.filter(named.contains).map { $0.path(percentEncoded: false) }
  }

  /// Loads the networks; errors mention the environment if it named the file.
  ///
  /// - Parameters:
  ///   - selection: The files, if they are known already.
  ///   - threads: Threads of one estimate; as many as there are processors by default.
  ///   - loadingThreads: Threads that read the weights, if not the same.
  ///   - keepsWeights: Whether weights are packed once, for many photos.
  func estimator(
    of selection: WeightsSelection? = nil, threads: Int?, loadingThreads: Int? = nil,
    keepsWeights: Bool = true
  ) throws -> DepthEstimator {
    try loading(selection) {
      try DepthEstimator(
        $0, threads: threads, loadingThreads: loadingThreads, precision: precision,
        keepsWeights: keepsWeights)
    }
  }

  /// Loads the weights; errors mention the environment if it named the file.
  func loading<Loaded>(
    _ selection: WeightsSelection? = nil, _ load: (WeightsSelection) throws -> Loaded
  ) throws -> Loaded {
    let selection = try selection ?? self.selection()
    do { return try load(selection) } catch let error as DepthError where isOfEnvironment(error) {
      throw error.naming("DEPTH_WEIGHTS")
    }
  }

  /// Whether an error is about weights that the environment names, and neither about a file of the command line nor about
  /// one that is read or written with the weights.
  private func isOfEnvironment(_ error: DepthError) -> Bool {
    guard WeightsLocation.isFromEnvironment(names) else { return false }
    guard let file = error.file else {
      // An invalid value of another option is not caused by the environment.
      return error.code != .invalidArgument && names.allSatisfy { $0 == "default" }
    }
    let files = (try? WeightsSelection(named: ["default"]).files) ?? []
    return files.map(\.standardizedFileURL).contains(URL(filePath: file).standardizedFileURL)
  }
}

extension WeightsSelection {
  /// The files' paths, as inputs that no output may replace and as `--json` names them.
  var paths: [String] { files.map { $0.path(percentEncoded: false) } }
}
