public import ArgumentParser
import PhotoRuns
public import PictureFiles

extension PNGCompression: ExpressibleByArgument {}

/// How small PNG files become.
package struct CompressionOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "Compression of PNG files: fast is half the time and 1.45 times the size, small 0.83 times the size and forty times the time.",
      valueName: "name"))
  package var compression: PNGCompression = .default
}
