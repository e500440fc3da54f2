import ArgumentParser
import DepthRefinement
import MonocularDepth

/// The networks and maps to measure.
struct PredictorOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Weights: a name of 'depth weights list' or a file. Each --weights adds a row. Without --weights and \
      --predictions, 'default' is measured.
      """,
      valueName: "file"),
    completion: .file())
  var weights: [String] = []

  @Flag(
    help: """
      Combine all --weights into one estimate and one row: the geometric mean of their depths.
      """)
  var ensemble = false

  @Flag(inversion: .prefixedNo, help: .mirrored) var mirrored = false

  @OptionGroup var input: InputSizeOptions
  @OptionGroup var arithmetic: PrecisionOptions

  @Option(
    help: ArgumentHelp(
      """
      Measure the depth files in this folder, in metres or disparity. They are named like the frames, with or \
      without _depth. May be repeated.
      """,
      valueName: "folder"),
    completion: .directory)
  var predictions: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Refine maps before they are measured: \
      \(RefinementMethod.Name.allCases.map(\.rawValue).joined(separator: ", ")). May be repeated; each method adds a \
      row.
      """,
      valueName: "method"))
  var refine: [RefinementMethod.Name] = [.none]

  func validate() throws {
    for (option, isGiven) in [
      ("--input-size", input.inputSize != nil), ("--tokens", input.tokens != nil),
    ] where isGiven && weights.isEmpty {
      throw ValidationError("\(option) requires --weights")
    }
    if ensemble, weights.count < 2 {
      throw ValidationError("--ensemble combines several --weights, expected two or more")
    }
    if weights.isEmpty, !predictions.isEmpty, mirrored || arithmetic.precision != .auto {
      throw ValidationError(
        "\(mirrored ? "--mirrored" : "--precision") requires --weights")
    }
  }

  /// The weights of each row; the default weights if no weights are named.
  var rows: [WeightsRequest] {
    let named = weights.isEmpty && predictions.isEmpty ? ["default"] : weights
    let rows = ensemble && !named.isEmpty ? [named] : named.map { [$0] }
    return rows.map {
      WeightsRequest(
        names: $0, mirrored: mirrored, inputSize: input.inputSize, tokens: input.tokens,
        kind: input.weightsKind, precision: arithmetic.precision)
    }
  }
}
