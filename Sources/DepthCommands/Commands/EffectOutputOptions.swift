import ArgumentParser
import DepthBase
import PictureFiles
import SystemEssentials

/// Where the pictures of an effect go.
struct EffectOutputOptions: ParsableArguments {
  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp(
      "Output file (.png or .jpg; .png for a mask or a cut-out) for one photo, or '-' for standard output.",
      valueName: "file"),
    completion: .file())
  var output: String?

  @Option(help: .outputFolder, completion: .directory) var outputDir: String?

  @OptionGroup var picture: PictureFormatOptions
  @OptionGroup var metadata: MetadataOptions
  @Flag(help: .overwrite) var overwrite = false

  func validate() throws {
    try check(output: output, outputDir: outputDir)
    guard let output, !Console.isStandardOutput(output) else { return }
    try checkPicture(named: output, isLossless: picture.lossless)
  }

  /// Options of files that were given.
  var givenOptions: [String] {
    optionNames([
      "-o": output != nil && output != "-", "--output-dir": outputDir != nil,
      "--overwrite": overwrite,
    ]) + picture.givenOptions + metadata.givenOptions
  }

  /// Refuses what a mask cannot have: it is a PNG, because it would lose its levels in JPEG, and has no metadata.
  ///
  /// - Throws: A validation error.
  func checkMask() throws {
    if let option = (picture.lossless ? ["--lossless"] : metadata.givenOptions).first {
      throw ValidationError(
        "\(option) requires a photo as output, and a mask is a PNG without metadata")
    }
    try checkPNG(for: "a mask")
  }

  /// - Parameter content: The content that needs a PNG.
  /// - Throws: A validation error for a file of another format.
  func checkPNG(for content: String) throws {
    guard let output, !Console.isStandardOutput(output), !output.lowercased().hasSuffix(".png")
    else { return }
    throw ValidationError(
      "-o \(output) is not a .png, expected one for \(content)".escapingControls)
  }

  /// The format of pictures, unless the effect has one of its own.
  var format: ImageFileFormat {
    let isPNG = picture.lossless || output.map { $0.lowercased().hasSuffix(".png") } ?? false
    return isPNG ? .png : .jpeg(quality: picture.request(metadata).jpegQuality)
  }

  /// Refuses options that have no effect on pictures of a format.
  ///
  /// - Throws: A validation error.
  func check(_ format: ImageFileFormat) throws {
    let picture = picture.request(metadata)
    try namingOptions { () throws(InvalidRequest) in
      try picture.check(writing: format == .png ? "png" : "jpg")
    }
  }

  /// The files that an effect writes for these photos.
  func plan(
    for photos: [PhotoInput], inputs: [String], effect: String, format: ImageFileFormat
  ) -> OutputPlan {
    OutputPlan(photos, inputs: inputs, overwrite: overwrite, folder: outputDir) {
      [url(of: $0, effect: effect, format: format)]
    }
  }

  /// - Returns: The name of the file written.
  func write(
    _ bytes: [UInt8], task: PhotoTask, effect: String, format: ImageFileFormat
  ) throws -> String {
    try task.write([(.bytes(bytes), url(of: task.photo, effect: effect, format: format))])[0]
  }

  private func url(of photo: PhotoInput, effect: String, format: ImageFileFormat) -> URL {
    if Console.isStandardOutput(output) { return Console.standardOutput }
    if let output { return URL(filePath: output) }
    return photo.output("_\(effect).\(format == .png ? "png" : "jpg")", in: outputDir)
  }
}
