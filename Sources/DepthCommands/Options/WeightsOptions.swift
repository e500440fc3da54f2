public import ArgumentParser
import DepthErrors
public import MonocularDepth
import SystemEssentials

/// Which networks make the estimate.
struct WeightsOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Weights: 'default', 'compact' or a file; may be repeated.",
      discussion: """
        'default' averages two networks; 'compact' is one of them. A file is HDF5, or weights of Depth Anything V2 as \
        they are published: .safetensors with its config.json beside it, or .pth. If several weights are given, the estimate is the \
        geometric mean of their depths; weights of relative disparity cannot be combined. A name such as \
        depth-anything-v2-small means what 'depth weights fetch' has downloaded; 'depth weights list' shows the names. If the environment variable DEPTH_WEIGHTS is set, its value replaces 'default': one of these, or \
        several separated by ':'.
        """,
      valueName: "file"),
    completion: .file())
  var weights = ["default"]

  @Flag(inversion: .prefixedNo, help: .mirrored) var mirrored = false

  @OptionGroup var input: InputSizeOptions
  @OptionGroup var arithmetic: PrecisionOptions

  /// Names of the options that differ from their defaults.
  var givenOptions: [String] {
    optionNames([
      "--weights": weights != ["default"], "--mirrored": mirrored,
      "--input-size": input.inputSize != nil, "--weights-kind": input.weightsKind != nil,
      "--precision": arithmetic.precision != .auto,
    ])
  }

  /// The files that the options name.
  func selection() throws -> WeightsSelection {
    input.applied(to: try WeightsSelection(named: weights, averagesMirrored: mirrored))
  }

  /// The files of a selection that the user named by their paths. Those of the package get a new time with every build.
  func namedFiles(of selection: WeightsSelection) -> [String] {
    let environment = ProcessInfo.processInfo.environment["DEPTH_WEIGHTS"] ?? ""
    let names =
      weights
      + (WeightsLocation.isFromEnvironment(weights)
        ? environment.split(separator: ":").map(String.init) : [])
    let named = Set(names.map { URL(filePath: $0) })
    return selection.files.filter(named.contains).map { $0.path(percentEncoded: false) }
  }

  /// Loads what the options name; errors mention the environment if it named the file.
  ///
  /// - Parameters:
  ///   - selection: The files that the options name, if they are known already.
  ///   - threads: Threads of one estimate; as many as there are processors by default.
  ///   - loadingThreads: Threads that read the weights, if not the same.
  ///   - keepsWeights: Whether weights are packed once, for many photos.
  func estimator(
    of selection: WeightsSelection? = nil, threads: Int?, loadingThreads: Int? = nil,
    keepsWeights: Bool = true
  ) throws -> DepthEstimator {
    try loading(selection) {
      try DepthEstimator(
        $0, threads: threads, loadingThreads: loadingThreads, precision: arithmetic.precision,
        keepsWeights: keepsWeights)
    }
  }

  /// Loads the weights that the options name; errors mention the environment if it named the file.
  func loading<Loaded>(
    _ selection: WeightsSelection? = nil, _ load: (WeightsSelection) throws -> Loaded
  ) throws -> Loaded {
    let selection = try selection ?? self.selection()
    return try Self.namingEnvironment(for: weights) { try load(selection) }
  }

  /// Loads the weights with these names; errors mention the environment if it named the file.
  static func loading<Loaded>(
    _ names: [String], averagesMirrored: Bool = false, _ load: (WeightsSelection) throws -> Loaded
  ) throws -> Loaded {
    let selection = try WeightsSelection(named: names, averagesMirrored: averagesMirrored)
    return try namingEnvironment(for: names) { try load(selection) }
  }

  private static func namingEnvironment<Loaded>(
    for names: [String], _ load: () throws -> Loaded
  ) throws -> Loaded {
    do { return try load() } catch let error as DepthError where isOfEnvironment(error, names) {
      throw error.naming("DEPTH_WEIGHTS")
    }
  }

  /// Whether an error is about weights that the environment names, and neither about a file of the command line nor about
  /// one that is read or written with the weights.
  private static func isOfEnvironment(_ error: DepthError, _ names: [String]) -> Bool {
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

extension Precision: ExpressibleByArgument {}

extension WeightsKind: ExpressibleByArgument {}

/// The arithmetic of the network.
struct PrecisionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Arithmetic of the network: float32, int8 or auto.",
      discussion: """
        int8 needs FCRN weights with scales of \
        activations, which 'depth weights calibrate' adds, or weights of Depth Anything V2. auto is int8 if the \
        weights file records that int8 lowers δ1 (the share of pixels within a factor of 1.25 of the truth) by at \
        most 0.002, and otherwise float32; the weights of this package record that. For Depth Anything V2, auto is \
        int8 only on processors with instructions for 8-bit products. In int8, FCRN gives a photo the same depth on \
        every processor.
        """,
      valueName: "name"))
  var precision: Precision = .auto
}

/// The size of a Depth Anything V2's input, and the meaning of its numbers.
struct InputSizeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Shorter side of the network's input, in pixels: a multiple of 14 from 252 to 1036; 518 by default.
      """,
      discussion: """
        Only for weights of Depth Anything V2, which keep a photo's proportions; with other weights, this option is an \
        error. A smaller input is faster (308 takes less than a third of the time of 518); a larger one shows finer \
        detail.
        """,
      valueName: "n"))
  var inputSize: Int?
  @Option(
    help: ArgumentHelp(
      "What published weights were trained on: indoor, outdoor (metres) or relative.",
      discussion: """
        Needed for weights of Depth Anything V2 in the published forms, .safetensors and .pth, if neither the file's \
        name nor a config.json beside it says it.
        """,
      valueName: "kind"))
  var weightsKind: WeightsKind?

  func validate() throws {
    guard let inputSize else { return }
    do { try WeightsSelection.check(inputSize: inputSize, named: "--input-size") } catch {
      throw ValidationError("\(error)".escapingControls)
    }
  }

  /// The selected weights with this input.
  func applied(to selection: WeightsSelection) -> WeightsSelection {
    var selection = selection
    (selection.inputSize, selection.kind) = (inputSize, weightsKind)
    return selection
  }
}
