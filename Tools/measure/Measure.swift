import ArgumentParser

/// Renders scenes with their depth, and measures refinement, effects and geometry against them.
@main
struct Measure: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommands: [
      RenderScenes.self, MeasureRefinement.self, MeasureEffects.self, MeasureGeometry.self,
    ])
}
