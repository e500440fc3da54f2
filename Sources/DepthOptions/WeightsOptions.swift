package import ArgumentParser
import DepthErrors
package import MonocularDepth
import NeuralEngine
import PhotoRuns
import SystemEssentials

/// Which networks make the estimate.
package struct WeightsOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "Weights: 'default', 'compact', or an HDF5 file; may be repeated.",
      discussion: """
        Several make one estimate, the geometric mean of their depths. DEPTH_WEIGHTS in the environment says \
        what 'default' is: one of these, or several with ':' between.
        """,
      valueName: "file"), completion: .file())
  package var weights = ["default"]

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Average with the estimate of the mirrored photo, for twice the time.",
      discussion: "'default' alone does; 'compact', files and several weights do not."))
  package var mirrored: Bool?

  @Option(
    help: ArgumentHelp(
      "Shorter side of the network's input: a multiple of 14 from 252 to 1036.",
      discussion: """
        For depth-anything-v2, which keeps a photo's proportions; its own is 518. A smaller one is faster (308 takes less than a third of \
        the time), a larger one shows finer parts.
        """,
      valueName: "n"))
  package var inputSize: Int?

  @OptionGroup package var arithmetic: PrecisionOptions

  package func validate() throws {
    guard let inputSize else { return }
    do { try WeightsSelection.check(inputSize: inputSize, named: "--input-size") } catch {
      throw ValidationError("\(error)".escapingControls)
    }
  }

  /// The arithmetic that the options ask for.
  package var precision: Precision { arithmetic.precision.precision }

  /// The files that the options name.
  package func selection() throws -> WeightsSelection {
    var selection = try WeightsSelection(named: weights, averagesMirrored: mirrored)
    selection.inputSize = inputSize
    return selection
  }

  /// Loads the weights that the options name; errors mention the environment if it named the file.
  package func loading<Loaded>(_ load: (WeightsSelection) throws -> Loaded) throws -> Loaded {
    try Self.loading(weights, averagesMirrored: mirrored) { selection in
      var selection = selection
      selection.inputSize = inputSize
      return try load(selection)
    }
  }

  /// Loads the weights with these names; errors mention the environment if it named the file.
  package static func loading<Loaded>(
    _ names: [String], averagesMirrored: Bool? = nil, _ load: (WeightsSelection) throws -> Loaded
  ) throws -> Loaded {
    let selection = try WeightsSelection(named: names, averagesMirrored: averagesMirrored)
    do { return try load(selection) } catch let error as DepthError
      where WeightsLocation.isFromEnvironment(names)
    {
      throw DepthError(error.code, file: "DEPTH_WEIGHTS", "\(error)", cause: error.cause)
    }
  }
}

extension WeightsSelection {
  /// The files' paths, as inputs that no output may replace and as `--json` names them.
  package var paths: [String] { files.map { $0.path(percentEncoded: false) } }
}
