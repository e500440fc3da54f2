public import ArgumentParser
public import PictureFiles

extension PNGCompression: ExpressibleByArgument {}

/// How small PNG files become.
struct CompressionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      PNG compression: fast, default or small. Compared with default, fast takes half the time and makes files 1.45 \
      times as large; small takes forty times the time and makes files 0.83 times as large.
      """,
      valueName: "name"))
  var compression: PNGCompression = .default

  /// Refuses `--compression` if no output is PNG.
  ///
  /// - Parameter hasPNG: Whether any file that is written is PNG.
  /// - Throws: A validation error.
  func check(hasPNG: Bool) throws {
    if let option = given.first, !hasPNG {
      throw ValidationError("\(option) is for PNG, and no output is a .png")
    }
  }

  /// Names of the options that differ from their defaults.
  var given: [String] { compression == .default ? [] : ["--compression"] }
}
