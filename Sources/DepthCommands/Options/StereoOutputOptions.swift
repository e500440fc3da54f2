import ArgumentParser
import DepthBase
import DepthImages
import PictureFiles
import StereoPhotos
import SystemEssentials

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
  @Flag(help: .overwrite) var overwrite = false

  /// Refuses what does not go with the number of photos.
  ///
  /// - Throws: A validation error.
  func check(_ photos: PhotoSelection, _ format: StereoFormat, json: Bool) throws {
    try photos.check(output: output, json: json, content: "picture")
    guard Console.isStandardOutput(output) else { return }
    if format == .leftRight {
      throw ValidationError("--format left-right is two files, expected -o with a name")
    }
  }

  func validate() throws { try check(output: output, outputDir: outputDir) }

  /// The stereo photo that the options ask for, checked.
  ///
  /// - Throws: A validation error.
  func request(_ parallax: ParallaxOptions, _ camera: CameraOptions) throws -> StereoRequest {
    var request = StereoRequest()
    guard let format = StereoFormatWord(word: format) else {
      throw ValidationError("--format is \(format), expected \(StereoFormatWord.expected)")
    }
    (request.parallax, request.camera) = (parallax.request, camera.request)
    (request.format, request.quilt) = (format, quilt)
    (request.views, request.animationWidth) = (views, animationWidth)
    request.picture = picture.request(metadata)
    // A name without extension takes what the format and --lossless say.
    let ending = output.map { URL(filePath: $0).pathExtension } ?? ""
    request.lossless =
      picture.lossless || ending.lowercased() == "png" && format.format.requiredExtension == nil
    try namingOptions(request.check)
    guard let output, !ending.isEmpty else { return request }
    if let wanted = format.format.requiredExtension {
      guard ending.lowercased() == wanted else {
        throw ValidationError(
          "-o \(output) ends in .\(ending.lowercased()), expected .\(wanted) for \(format.word)"
            .escapingControls)
      }
    } else {
      try checkPicture(named: output, isLossless: picture.lossless)
    }
    return request
  }

  /// Options of files that were given.
  var givenOptions: [String] {
    optionNames([
      "-o": output != nil && output != "-", "--output-dir": outputDir != nil,
      "--overwrite": overwrite, "--quilt": quilt != nil,
    ]) + picture.givenOptions + metadata.givenOptions
  }

  /// The files that the options would write for these photos. The name of a quilt contains the photo's aspect ratio: photos
  /// that cannot be read have none.
  ///
  /// - Parameter inputs: Other files that are read.
  func plan(
    for photos: [PhotoInput], inputs: [String], _ request: StereoRequest, limits: ImageLimits
  ) -> OutputPlan {
    OutputPlan(photos, inputs: inputs, overwrite: overwrite, folder: outputDir) { photo in
      let format = request.stereoFormat
      guard let aspect = plannedAspect(of: photo, format, limits: limits) else { return [] }
      let endings = format.endings(aspect: aspect, output: request.output)
      return endings.map { url(ending: $0, among: endings.count, photo: photo) }
    }
  }

  /// Width over height of the upright photo where a name needs it, else 1; `nil` where it is not known.
  private func plannedAspect(
    of photo: PhotoInput, _ format: StereoFormat, limits: ImageLimits
  ) -> Double? {
    guard case .quilt = format, output == nil else { return 1 }
    guard FileFacts(of: photo.url) != nil,
      let file = try? PhotoFile(contentsOf: photo.url, limits: limits)
    else { return nil }
    return file.uprightAspect
  }

  /// - Returns: The files written.
  func write(_ files: [StereoFile], task: PhotoTask) throws -> [String] {
    try task.write(
      files.map {
        (.bytes($0.bytes), url(ending: $0.ending, among: files.count, photo: task.photo))
      })
  }

  private func url(ending: String, among count: Int, photo: PhotoInput) -> URL {
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
