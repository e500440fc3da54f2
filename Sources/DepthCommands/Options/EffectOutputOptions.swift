import ArgumentParser
import PictureFiles

/// The pictures of an effect.
struct EffectOutputOptions: ParsableArguments {
  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp(
      "Output file (.png or .jpg; .png or .pfm for a mask, .png for a cut-out) for one photo, or '-' for standard output.",
      valueName: "file"),
    completion: .file())
  var output: String?

  @Option(help: .outputFolder, completion: .directory) var outputDir: String?

  @OptionGroup var picture: PictureFormatOptions
  @OptionGroup var metadata: MetadataOptions
  @Flag(help: .overwrite) var overwrite = false

  func validate() throws {
    try check(output: output, outputDir: outputDir)
    guard let output, !Console.isStandardOutput(output), !isPFM else { return }
    try picture.check(named: output)
  }

  /// Whether a mask is written as floats.
  private var isPFM: Bool { output?.lowercased().hasSuffix(".pfm") ?? false }

  var givenOptions: [String] {
    optionNames([
      "-o": output != nil && output != "-", "--output-dir": outputDir != nil,
      "--overwrite": overwrite,
    ]) + picture.givenOptions + metadata.givenOptions
  }

  /// Rejects options that masks do not support. A mask is a PNG without metadata, since JPEG degrades its levels.
  ///
  /// - Throws: A validation error.
  func checkMask() throws {
    if let option = (picture.lossless ? ["--lossless"] : metadata.givenOptions).first {
      throw ValidationError(
        "\(option) requires a photo as output, but a mask is a PNG without metadata")
    }
    if !isPFM { try checkPNG(for: "a mask") }
  }

  /// - Parameter content: The content that requires a PNG.
  /// - Throws: A validation error for a file of another format.
  func checkPNG(for content: String) throws {
    guard let output, !Console.isStandardOutput(output), !output.lowercased().hasSuffix(".png")
    else { return }
    throw ValidationError(
      "-o \(output) is not a .png, expected one for \(content)".escapingControls)
  }

  /// The pictures of an effect.
  ///
  /// - Throws: A validation error for options that do not affect pictures of their format.
  func value(_ request: EffectRequest) throws -> EffectOutput {
    if let output, isPFM, request.effect != .mask { try picture.check(named: output) }
    let isPNG =
      request.isPNG || picture.lossless || output.map { $0.lowercased().hasSuffix(".png") } ?? false
    try namingOptions { try request.check(writing: isPFM ? "pfm" : isPNG ? "png" : "jpg") }
    return EffectOutput(
      place: OutputPlace(file: output, folder: outputDir), effect: request.effect?.rawValue ?? "",
      format: isPFM ? nil : isPNG ? .png : .jpeg(quality: request.picture.jpegQuality))
  }
}
