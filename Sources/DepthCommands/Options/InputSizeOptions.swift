import ArgumentParser
import MonocularDepth

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
