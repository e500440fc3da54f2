import ArgumentParser

/// How thick the air is.
package struct HazeOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "The β of e^(−β·metres), the share of light that is left, 0 to 100.",
      valueName: "per-metre"))
  package var density = 0.3

  package func validate() throws {
    guard (0...100).contains(density) else {
      throw ValidationError("--density is \(density), expected 0 to 100 per metre")
    }
  }
}
