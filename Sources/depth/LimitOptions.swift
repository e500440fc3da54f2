import ArgumentParser
import DepthImages

/// How much a file may ask of the program.
struct LimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Largest photo, depth file or result, pixels.", valueName: "n"))
  var maxPixels = ImageLimits().maximumPixels

  func validate() throws {
    guard maxPixels > 0 else {
      throw ValidationError("--max-pixels is \(maxPixels), expected at least 1")
    }
  }

  var limits: ImageLimits { ImageLimits(maximumPixels: maxPixels) }
}
