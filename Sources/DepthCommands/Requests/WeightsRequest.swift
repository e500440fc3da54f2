import DepthErrors
import MonocularDepth
import SystemEssentials
import WeightsFiles

/// The networks of an estimate.
struct WeightsRequest: Encodable, Sendable {
  /// Names and files of weights. Several weights form one ensemble.
  var names = ["default"]
  var mirrored = false
  /// Shorter side of the network's input; `nil` for its default.
  var inputSize: Int?
  /// Number of MoGe-2's patches; `nil` for the usual number.
  var tokens: Int?
  /// Training data of published weights; `nil` if the file records it.
  var kind: WeightsKind?
  var precision = Precision.auto
  /// Metric weights to which maps of relative weights are fitted: a name, a file, or ``relative`` to keep relative maps.
  ///
  /// `nil` for the bundled weights, if they are installed.
  var metres: String?

  /// The word for maps that remain relative.
  static let relative = "none"

  /// The files that the names refer to.
  func selection() throws -> WeightsSelection {
    var selection = try WeightsSelection(named: names, averagesMirrored: mirrored)
    (selection.inputSize, selection.tokens, selection.kind) = (inputSize, tokens, kind)
    return selection
  }

  /// The files of a selection that the user named. Bundled files are omitted, since every build changes their modification
  /// time.
  func namedFiles(of selection: WeightsSelection) -> [String] {
    let environment = ProcessInfo.processInfo.environment["DEPTH_WEIGHTS"] ?? ""
    let all =
      names
      + (WeightsLocation.isFromEnvironment(names)
        ? environment.split(separator: ":").map(String.init) : [])
    let named = Set(all.map { URL(filePath: $0) })
    return selection.files.filter(named.contains).map { $0.path(percentEncoded: false) }
  }

  /// Loads the networks. If the environment variable named the file, errors mention the variable.
  ///
  /// - Parameters:
  ///   - selection: The files, if already known.
  ///   - givesMetres: Whether maps of relative weights become metres.
  ///   - threads: Threads of one estimate; by default as many as processors.
  ///   - loadingThreads: Threads that read the weights; `nil` for `threads`.
  ///   - keepsWeights: Whether weights are packed once, for many photos.
  func estimator(
    of selection: WeightsSelection? = nil, givesMetres: Bool = false, threads: Int?,
    loadingThreads: Int? = nil, keepsWeights: Bool = true
  ) throws -> DepthEstimator {
    try loading(selection) { selection in
      func load(metres: WeightsSelection?) throws -> DepthEstimator {
        try DepthEstimator(
          selection, metres: metres, threads: threads, loadingThreads: loadingThreads,
          precision: precision, keepsWeights: keepsWeights)
      }
      guard givesMetres, metres != Self.relative else { return try load(metres: nil) }
      if let metres {
        let estimator = try load(metres: Self.selection(ofMetres: metres))
        guard metres == "default" || estimator.metresName != nil else {
          throw WrongUsage(
            "--metres \(metres) requires weights of relative disparity, found weights in metres"
              .escapingControls)
        }
        return estimator
      }
      do { return try load(metres: .default) } catch let error as DepthError
        where error.code == .missingWeights
      {
        // This load throws if the relative weights themselves are missing.
        let relative = try load(metres: nil)
        Console.note(
          "depth stays relative: the program's own weights, which give metres, are not installed")
        return relative
      }
    }
  }

  /// The metric weights with a name; `default` is always the bundled file, even if `DEPTH_WEIGHTS` is set.
  static func selection(ofMetres name: String) throws -> WeightsSelection {
    name == "default" ? .compact : try WeightsSelection(named: [name])
  }

  /// Loads the networks for maps with these options. The options determine whether relative depth becomes metres.
  ///
  /// - Parameters:
  ///   - selection: The files, if already known.
  ///   - options: The options without the calibration.
  ///   - calibration: The calibration, which replaces the fit to metres.
  ///   - threads: As for the other parameters, see ``estimator(of:givesMetres:threads:loadingThreads:keepsWeights:)``.
  func estimation(
    of selection: WeightsSelection? = nil, _ options: DepthOptions, calibration: DepthCalibration?,
    threads: Int?, loadingThreads: Int? = nil, keepsWeights: Bool = true
  ) throws -> MapEstimation {
    var options = options
    options.calibration = calibration
    return MapEstimation(
      try estimator(
        of: selection,
        givesMetres: options.relativeDepth != .relative && calibration == nil,
        threads: threads, loadingThreads: loadingThreads, keepsWeights: keepsWeights),
      options: options)
  }

  /// Loads the weights. If the environment variable named the file, errors mention the variable.
  func loading<Loaded>(
    _ selection: WeightsSelection? = nil, _ load: (WeightsSelection) throws -> Loaded
  ) throws -> Loaded {
    let selection = try selection ?? self.selection()
    do { return try load(selection) } catch let error as DepthError
      where error.cause as? SettingAtFault == .needlessWeightsKind
    {
      throw WrongUsage(Console.text(of: error).escapingControls)
    } catch let error as DepthError where isOfEnvironment(error) {
      throw error.naming("DEPTH_WEIGHTS")
    }
  }

  /// Whether an error concerns weights that the environment variable named, not another file.
  private func isOfEnvironment(_ error: DepthError) -> Bool {
    guard WeightsLocation.isFromEnvironment(names) else { return false }
    guard let file = error.file else {
      // The environment does not cause an invalid value of another option.
      return error.code != .invalidArgument && names.allSatisfy { $0 == "default" }
    }
    let files = (try? WeightsSelection(named: ["default"]).files) ?? []
    return files.map(\.standardizedFileURL).contains(URL(filePath: file).standardizedFileURL)
  }
}

extension WeightsSelection {
  /// The files' paths, for inputs that no output may replace and for `--json`.
  var paths: [String] { files.map { $0.path(percentEncoded: false) } }
}
