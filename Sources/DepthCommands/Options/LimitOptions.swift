import ArgumentParser
import DepthImages

/// How much a file may ask of the program.
struct LimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Largest photo, depth file or result, in pixels (width times height); larger ones are refused.
      """,
      valueName: "n"))
  var maxPixels = ImageLimits().maximumPixels

  func validate() throws {
    // Keeps byte counts, which are multiples of this, within `Int`.
    guard (1...1_000_000_000_000).contains(maxPixels) else {
      throw ValidationError("--max-pixels is \(maxPixels), expected 1 to 1000000000000")
    }
  }

  var limits: ImageLimits { ImageLimits(maximumPixels: maxPixels) }
}
