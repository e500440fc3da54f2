import ArgumentParser
import DepthRequests

/// How thick the air is.
struct HazeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Density β of the haze per metre, 0 to 100; 0.3 by default. A point keeps the share e^(−β·distance) of its \
      light. Needs depth in metres; not with --strength.
      """,
      valueName: "per-metre"))
  var density: Double?

  @Option(
    help: ArgumentHelp(
      """
      Share of light that the farthest point loses, 0 to 1. For depth in any unit; replaces --density.
      """,
      discussion: """
        A point keeps the share (1 − strength)^(1 − d) of its light, where d is its disparity from 0 (farthest) to 1 \
        (nearest).
        """,
      valueName: "share"))
  var strength: Double?

  func validate() throws { try namingOptions(request.check) }

  var request: HazeRequest {
    var request = HazeRequest()
    (request.density, request.strength) = (density, strength)
    return request
  }
}
