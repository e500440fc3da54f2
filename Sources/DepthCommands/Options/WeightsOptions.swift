public import ArgumentParser
public import MonocularDepth
public import WeightsFiles

/// The networks of an estimate.
struct WeightsOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Weights: 'default', a name of 'depth weights list' or a file; may be repeated.",
      discussion: """
        'default' is the network that comes with the program; 'compact' is the same, regardless of DEPTH_WEIGHTS. A file is HDF5, or weights of \
        Depth Anything V2, ZipDepth or MoGe-2 as they are published: .pth, .pt, or .safetensors with its config.json beside it. If several weights are given, the estimate is the \
        geometric mean of their depths; weights of relative disparity cannot be combined. A name such as \
        depth-anything-v2-small names what 'depth weights fetch' downloaded; 'depth weights list' shows the names. If the environment variable DEPTH_WEIGHTS is set, its value replaces 'default': one of these, or \
        several separated by ':'.
        """,
      valueName: "file"),
    completion: .file())
  var weights = ["default"]

  @Flag(inversion: .prefixedNo, help: .mirrored) var mirrored = false

  @Option(help: .metres, completion: .file()) var metres: String?

  @OptionGroup var input: InputSizeOptions
  @OptionGroup var arithmetic: PrecisionOptions

  /// Names of the options that differ from their defaults.
  var givenOptions: [String] {
    optionNames([
      "--weights": weights != ["default"], "--mirrored": mirrored,
      "--input-size": input.inputSize != nil, "--weights-kind": input.weightsKind != nil,
      "--tokens": input.tokens != nil,
      "--precision": arithmetic.precision != .auto,
    ])
  }

  var request: WeightsRequest {
    WeightsRequest(
      names: weights, mirrored: mirrored, inputSize: input.inputSize, tokens: input.tokens,
      kind: input.weightsKind, precision: arithmetic.precision, metres: metres)
  }
}

extension ArgumentHelp {
  /// The help of `--metres`.
  static let metres = ArgumentHelp(
    "Metric weights that relative depth is fitted to: 'default', a name of 'depth weights list', a file, or 'none'.",
    discussion: """
      Maps of relative weights keep their shape; their scale and shift are fitted to the metric map that a second network makes of the \
      same photo. By default this is the network that comes with the program, wherever metres are written or used. Depth files are fitted \
      only if this option is given. 'none' leaves relative depth as it is.
      """,
    valueName: "file")
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
        activations, which 'depth weights calibrate' adds, or weights of Depth Anything V2, ZipDepth or MoGe-2. auto is int8 if the \
        weights file records that int8 lowers δ1 (the share of pixels within a factor of 1.25 of the truth) by at \
        most 0.002, and otherwise float32; the weights of this package record that. For Depth Anything V2, auto is \
        int8 only on processors with instructions for 8-bit products. In int8, FCRN gives a photo the same depth on \
        every processor.
        """,
      valueName: "name"))
  var precision: Precision = .auto
}

/// The input size of published networks, and the unit of their output.
struct InputSizeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Shorter side of the network's input, in pixels.
      """,
      discussion: """
        Only for weights that keep a photo's proportions: Depth Anything V2 (a multiple of 14 from 252 to 1036; 518 by \
        default) and ZipDepth (a multiple of 32 from 192 to 1024; 384). With other weights, this option is an error. A smaller \
        input is faster, a larger one shows finer detail.
        """,
      valueName: "n"))
  var inputSize: Int?
  @Option(
    help: ArgumentHelp(
      "Patches of the photo that MoGe-2 reads, 400 to 3600; 1200 by default.",
      discussion: """
        With other weights, this option is an error. More patches show finer detail: 3600 take about four times as long as 1200.
        """,
      valueName: "n"))
  var tokens: Int?
  @Option(
    help: ArgumentHelp(
      "What published weights were trained on: indoor, outdoor (metres) or relative.",
      discussion: """
        Needed for weights of Depth Anything V2 in the published forms, .safetensors and .pth, if neither the file's \
        name nor a config.json beside it states it.
        """,
      valueName: "kind"))
  var weightsKind: WeightsKind?

  func validate() throws {
    do {
      if let inputSize { try WeightsSelection.check(inputSize: inputSize, named: "--input-size") }
      if let tokens { try WeightsSelection.check(tokens: tokens, named: "--tokens") }
    } catch {
      throw ValidationError("\(error)".escapingControls)
    }
  }
}
