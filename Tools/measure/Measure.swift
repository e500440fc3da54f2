import ArgumentParser

/// Measures refinement, effects and geometry against scenes whose depth is known.
@main
struct Measure: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommands: [MeasureRefinement.self, MeasureEffects.self, MeasureGeometry.self])
}
