public import ArgumentParser
public import PictureFiles

/// The depth files of photos and their format.
struct DepthFileOptions: ParsableArguments {
  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp(
      """
      Depth file to write for one photo; its extension (.png, .pfm, .npy, .npz, .exr) selects the format. '-' is standard \
      output.
      """,
      valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      """
      Folder for depth files named PHOTO_depth.EXT, with the subfolders of the input; created if missing.
      """,
      valueName: "folder"),
    completion: .directory)
  var outputDir: String?

  @Option(
    help: ArgumentHelp(
      """
      Format of depth files that are named after photos, have a name without extension, or go to standard output: \
      png (the default), pfm, npy, npz or exr.
      """,
      valueName: "format"))
  var format: DepthFileFormat?

  func validate() throws {
    try check(output: output, outputDir: outputDir)
    try namingOptions(value(PNGCompression.default).check)
  }

  /// - Parameter compression: The compression of PNG files.
  func value(_ compression: PNGCompression) -> DepthOutput {
    DepthOutput(
      place: OutputPlace(file: output, folder: outputDir), format: format, compression: compression)
  }
}

extension DepthFileFormat: ExpressibleByArgument {}
