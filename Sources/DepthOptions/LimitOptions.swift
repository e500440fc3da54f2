import ArgumentParser
package import DepthImages
import PhotoRuns

/// How much a file may ask of the program.
package struct LimitOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      """
      Largest photo, depth file or result, in pixels (width times height); larger ones are refused.
      """,
      valueName: "n"))
  package var maxPixels = ImageLimits().maximumPixels

  package func validate() throws {
    guard maxPixels > 0 else {
      throw ValidationError("--max-pixels is \(maxPixels), expected at least 1")
    }
  }

  package var limits: ImageLimits { ImageLimits(maximumPixels: maxPixels) }
}
