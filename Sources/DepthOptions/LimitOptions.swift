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
    // Keeps byte counts, which are multiples of this, within `Int`.
    guard (1...1_000_000_000_000).contains(maxPixels) else {
      throw ValidationError("--max-pixels is \(maxPixels), expected 1 to 1000000000000")
    }
  }

  package var limits: ImageLimits { ImageLimits(maximumPixels: maxPixels) }
}
