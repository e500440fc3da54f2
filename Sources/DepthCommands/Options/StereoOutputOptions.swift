import ArgumentParser
import DepthBase
import DepthImages
import DepthPipeline
import PictureFiles
import StereoPhotos
import SystemEssentials
import ViewSynthesis

/// Which stereo files are written, and where.
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

  @Option(help: ArgumentHelp("Stereo format; 'depth help stereo' lists them.", valueName: "name"))
  var format = "sbs"

  @Option(
    help: ArgumentHelp(
      "Columns and rows of views for --format quilt, 2 to 400 views; 8x6 by default.",
      discussion: """
        The outermost views are twice as far apart as the two eyes that --shift or --baseline gives, so --shift is \
        12.5% at most.
        """,
      valueName: "CxR"))
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
  @Flag(help: "Replace existing files; without this option they are an error.")
  var overwrite = false

  /// Refuses what does not go with the number of photos.
  ///
  /// - Throws: A validation error.
  func check(_ photos: PhotoSelection, json: Bool) throws {
    try photos.check(output: output, json: json, content: "picture")
    guard Console.isStandardOutput(output) else { return }
    if stereoFormat == .leftRight {
      throw ValidationError("--format left-right is two files, expected -o with a name")
    }
  }

  func validate() throws {
    guard StereoFormat(name: format) != nil else {
      throw ValidationError(
        "--format is \(format), expected \(Self.formats)")
    }
    if output != nil, outputDir != nil {
      throw ValidationError("-o and --output-dir exclude each other")
    }
    try check("--views", views, in: 2...64)
    try check("--animation-width", animationWidth, in: 16...8192)
    for (option, isGiven) in [
      ("--views", views != nil), ("--animation-width", animationWidth != nil),
    ]
    where isGiven && stereoFormat != .wiggle && stereoFormat != .wiggleGIF {
      throw ValidationError("\(option) is for --format wiggle and gif, --format is \(format)")
    }
    if picture.lossless, let only = stereoFormat.requiredExtension, only != "png" {
      throw ValidationError("--lossless writes PNG, --format \(format) is always .\(only)")
    }
    if quilt != nil, !format.hasPrefix("quilt") {
      throw ValidationError("--quilt is for --format quilt, --format is \(format)")
    }
    if let quilt, !(2...400).contains(quilt.count) {
      throw ValidationError("--quilt has \(quilt.count) views, expected 2 to 400")
    }
    try picture.check(writing: pictureExtension)
    // A name without extension takes what the format and --lossless say.
    guard let output, !URL(filePath: output).pathExtension.isEmpty else { return }
    if let wanted = stereoFormat.requiredExtension {
      let found = URL(filePath: output).pathExtension.lowercased()
      guard found == wanted else {
        throw ValidationError(
          "-o \(output) ends in .\(found), expected .\(wanted) for \(format)".escapingControls)
      }
    } else {
      try checkPicture(named: output, isLossless: picture.lossless)
    }
  }

  /// Options of files that were given.
  var given: [String] {
    (output == nil || output == "-" ? [] : ["-o"]) + (outputDir == nil ? [] : ["--output-dir"])
      + (overwrite ? ["--overwrite"] : [])
      + (quilt == nil ? [] : ["--quilt"]) + picture.given + metadata.given
  }

  /// The format; a quilt with the layout that was asked for.
  var stereoFormat: StereoFormat {
    let named = StereoFormat(name: format) ?? .sideBySide
    guard case .quilt = named, let quilt else { return named }
    return .quilt(columns: quilt.columns, rows: quilt.rows)
  }

  /// The extension of the files.
  var pictureExtension: String { stereoFormat.fileExtension(output: settings) }

  var settings: StereoOutput {
    var settings = StereoOutput()
    settings.isLossless =
      picture.lossless || output.map { $0.lowercased().hasSuffix(".png") } ?? false
    settings.quality = picture.quality
    settings.compression = picture.png.compression
    if let views { settings.animationViews = views }
    if let animationWidth { settings.animationWidth = animationWidth }
    settings.metadata = metadata.policy
    return settings
  }

  /// The names of all formats.
  static var formats: String { StereoFormat.all.map(\.name).joined(separator: ", ") }

  /// The name of the format in records.
  var formatName: String { stereoFormat.name }

  /// The files of a photo's views.
  ///
  /// - Parameter sentWidth: The width of the photo that the options are about, where `photo` is that photo reduced.
  /// - Throws: `DepthError`; `CancellationError`.
  func files(
    of photo: Image, reducedFrom sentWidth: Int? = nil, depth: DepthMap,
    parallax: ParallaxOptions, camera: CameraSetting, call: CallContext
  ) throws -> [StereoFile] {
    try photo.stereoFiles(
      as: stereoFormat, depth: depth,
      options: parallax.options(focalLength: camera.given, threads: call.threads)
        .resized(from: sentWidth ?? photo.width, to: photo.width),
      output: settings, call: call)
  }

  /// Pixels of the pictures that are made of a photo, where these may be more than its own.
  func pixels(of file: PhotoFile) -> Int {
    stereoFormat.pixels(height: file.height, width: file.width, output: settings)
  }

  /// The files that the options would write for these photos.
  ///
  /// The name of a quilt contains the photo's aspect ratio: photos that cannot be read have none.
  ///
  /// - Parameter inputs: Other files that are read.
  func plan(for photos: [PhotoInput], inputs: [String], limits: ImageLimits) -> OutputPlan {
    OutputPlan(photos, inputs: inputs, overwrite: overwrite, folder: outputDir) { photo in
      guard let aspect = plannedAspect(of: photo, limits: limits) else { return [] }
      let endings = stereoFormat.endings(aspect: aspect, output: settings)
      return endings.map { place(ending: $0, among: endings.count, photo: photo) }
    }
  }

  /// Width over height of the upright photo where a name needs it, else 1; `nil` where it is not known.
  private func plannedAspect(of photo: PhotoInput, limits: ImageLimits) -> Double? {
    guard case .quilt = stereoFormat, output == nil else { return 1 }
    guard FileFacts(of: photo.url) != nil,
      let file = try? PhotoFile(contentsOf: photo.url, limits: limits)
    else { return nil }
    return file.uprightAspect
  }

  /// - Returns: The files written.
  func write(_ files: [StereoFile], turn: PhotoTurn) throws -> [String] {
    try turn.write(
      files.map {
        (.bytes($0.bytes), place(ending: $0.ending, among: files.count, photo: turn.photo))
      })
  }

  private func place(ending: String, among count: Int, photo: PhotoInput) -> URL {
    if Console.isStandardOutput(output) { return Console.standardOutput }
    if let output {
      guard count > 1 else { return URL(filePath: output) }
      let url = URL(filePath: output)
      return url.deletingLastPathComponent().appending(
        path: url.deletingPathExtension().lastPathComponent + ending)
    }
    return photo.output(ending, in: outputDir)
  }
}

/// On the command line `8x6`, columns first.
extension Grid: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}
