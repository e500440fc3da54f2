import ArgumentParser
import DepthImages
import StereoPhotos
import SystemEssentials
import ViewSynthesis

/// The stereo files of photos.
struct StereoOutputOptions: ParsableArguments {
  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp(
      """
      Output file for one photo, or '-' for standard output. Its extension is .png or .jpg if the format allows \
      both. left-right writes two files and adds _L and _R to the name.
      """,
      valueName: "file"),
    completion: .file())
  var output: String?

  @Option(help: .outputFolder, completion: .directory) var outputDir: String?

  @Option(
    help: ArgumentHelp("Stereo format: \(StereoFormatWord.expected).", valueName: "name"))
  var format = "sbs"

  @Option(
    help: ArgumentHelp(
      "Columns and rows of views for --format quilt, 2 to 400 views; 8x6 by default.",
      discussion: """
        The outermost views are twice as far apart as the two eyes that --shift or --baseline gives, so --shift is \
        12.5% at most.
        """,
      valueName: "CxR"), transform: Grid.argument)
  var quilt: Grid?

  @Option(
    help: ArgumentHelp(
      """
      Number of views in an animation (--format wiggle or gif), from one eye to the other, 2 to 64; 2 by default.
      """,
      valueName: "n"))
  var views: Int?

  @Option(
    help: ArgumentHelp(
      """
      Largest width of an animation (--format wiggle or gif), 16 to 8192 pixels. Wider photos are reduced to it. \
      1280 by default.
      """,
      valueName: "n"))
  var animationWidth: Int?

  @OptionGroup var picture: PictureFormatOptions
  @OptionGroup var metadata: MetadataOptions
  @Flag(help: .overwrite) var overwrite = false

  func validate() throws { try check(output: output, outputDir: outputDir) }

  /// The stereo photo requested by the options.
  ///
  /// - Throws: A validation error for an unknown format.
  func request(_ parallax: ParallaxOptions, _ camera: CameraOptions) throws -> StereoRequest {
    guard let format = StereoFormatWord(word: format) else {
      throw ValidationError("--format is \(format), expected \(StereoFormatWord.expected)")
    }
    // A name without an extension gets an extension, which depends on the format and --lossless.
    let isPNG = ending.lowercased() == "png" && format.format.requiredExtension == nil
    return StereoRequest(
      parallax: parallax.request, camera: camera.request, format: format, quilt: quilt,
      views: views, animationWidth: animationWidth, lossless: picture.lossless || isPNG,
      picture: picture.request(metadata))
  }

  /// The extension of the output's name; empty if there is none.
  private var ending: String { output.map { URL(filePath: $0).pathExtension } ?? "" }

  /// Rejects an invalid request, and an output name whose extension belongs to another format.
  ///
  /// - Throws: A validation error.
  func check(_ request: StereoRequest) throws {
    try namingOptions(request.check)
    if request.format.format.requiredExtension == nil, let output, !ending.isEmpty {
      try picture.check(named: output)
    }
    try namingOptions(value(request, ImageLimits()).check)
  }

  func value(_ request: StereoRequest, _ limits: ImageLimits) -> StereoPhotoOutput {
    StereoPhotoOutput(
      place: OutputPlace(file: output, folder: outputDir), request: request, limits: limits)
  }

  var givenOptions: [String] {
    optionNames([
      "-o": output != nil && output != "-", "--output-dir": outputDir != nil,
      "--overwrite": overwrite, "--quilt": quilt != nil,
    ]) + picture.givenOptions + metadata.givenOptions
  }
}
