public import ArgumentParser
import PhotoRuns
public import PictureFiles

extension PNGCompression: ExpressibleByArgument {}

/// How small PNG files become.
package struct CompressionOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      """
      PNG compression. Relative to default, fast takes half the time for 1.45 times the size; small takes forty times \
      the time for 0.83 times the size.
      """,
      valueName: "name"))
  package var compression: PNGCompression = .default
}
