import ArgumentParser

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

  func validate() throws {
    try check("--density", density, in: 0...100, unit: "per metre")
    try check("--strength", strength, in: 0...1)
    if density != nil, strength != nil {
      throw ValidationError("--density and --strength exclude each other, expected one")
    }
  }

  /// Names of the options that were given.
  var given: [String] {
    (density == nil ? [] : ["--density"]) + (strength == nil ? [] : ["--strength"])
  }

  var effect: PhotoEffect {
    strength.map { .relativeHaze(strength: $0) } ?? .haze(density: wantedDensity)
  }

  private var wantedDensity: Double { density ?? 0.3 }
}
