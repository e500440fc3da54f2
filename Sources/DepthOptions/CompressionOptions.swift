public import ArgumentParser
public import PictureFiles

extension PNGCompression: ExpressibleByArgument {}

/// How small PNG files become.
package struct CompressionOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      """
      PNG compression: fast, default or small. Compared with default, fast takes half the time and makes files 1.45 \
      times as large; small takes forty times the time and makes files 0.83 times as large.
      """,
      valueName: "name"))
  package var compression: PNGCompression = .default

  /// Names of the options that differ from their defaults.
  package var given: [String] { compression == .default ? [] : ["--compression"] }
}
