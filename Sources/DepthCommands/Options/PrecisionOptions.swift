public import ArgumentParser
public import MonocularDepth

extension Precision: ExpressibleByArgument {}

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

/// How large a network that keeps a photo's proportions sees it.
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

  func validate() throws {
    guard let inputSize else { return }
    do { try WeightsSelection.check(inputSize: inputSize, named: "--input-size") } catch {
      throw ValidationError("\(error)".escapingControls)
    }
  }

  /// The selected weights with this input.
  func applied(to selection: WeightsSelection) -> WeightsSelection {
    var selection = selection
    selection.inputSize = inputSize
    return selection
  }
}
