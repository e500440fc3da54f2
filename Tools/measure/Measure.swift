import ArgumentParser

/// Renders scenes with their depth, and measures refinement, effects, geometry and the depth of clips against them.
@main
struct Measure: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommands: [
      RenderScenes.self, MeasureRefinement.self, MeasureEffects.self, MeasureGeometry.self,
      MeasureNormals.self,
      MeasureClips.self,
    ])
}
