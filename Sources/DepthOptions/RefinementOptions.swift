public import ArgumentParser
package import DepthPipeline
public import DepthRefinement
import PhotoRuns

extension RefinementMethod.Name: ExpressibleByArgument {}

extension OutputResolution: ExpressibleByArgument {
  /// A method by its name on the command line.
  public init?(argument: String) {
    self.init(argument)
  }
}

/// How a map gets the photo's edges, and how large it becomes.
package struct RefinementOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "Refinement: joint, bilateral, gaussian or none.",
      discussion: """
        joint filters the network's small map and upsamples it, guided by the photo where the map has edges. \
        bilateral is P. Matthes's 25×25 joint bilateral filter at full size; gaussian blurs; none does not \
        filter.
        """,
      valueName: "method"))
  package var refine: RefinementMethod.Name = .joint

  @Option(
    help: ArgumentHelp(
      "How strongly --refine joint follows the photo, 0 to 1.",
      discussion:
        "A lower value gives flatter surfaces; a higher value gives sharper edges, but also copies surface patterns into the depth.",
      valueName: "share"))
  package var detail: Float?

  @Option(
    help: ArgumentHelp(
      "Size of the map: photo (the default), network (its map's size, the default with --refine none) or WxH.",
      valueName: "size"))
  package var resolution: OutputResolution?

  @Flag(help: "Fill missing pixels from their neighbors.")
  package var fill = false

  package func validate() throws {
    if let detail, !(0...1).contains(detail) {
      throw ValidationError("--detail is \(detail), expected 0 to 1")
    }
    if detail != nil, refine != .joint {
      throw ValidationError("--detail is for --refine joint, found --refine \(refine.rawValue)")
    }
    if case .size(let height, let width) = resolution, max(height, width) > Self.largestSide {
      throw ValidationError(
        "--resolution is \(width)x\(height), expected sides of 1 to \(Self.largestSide)")
    }
  }

  /// The longest side that --resolution may ask for.
  private static let largestSide = 1 << 15

  /// What the options say.
  package var settings: MapSettings {
    var settings = MapSettings()
    (settings.method, settings.detail) = (refine, detail)
    (settings.resolution, settings.fillsMissing) = (resolution, fill)
    return settings
  }
}
