public import ArgumentParser
import DepthRequests
public import PictureFiles

/// Whether pictures are JPEG or PNG, their quality and their compression.
struct PictureFormatOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "JPEG quality, 1 to 100; \(ImageFileFormat.defaultQuality) by default.", valueName: "n"))
  var quality: Int?
  @Flag(help: "Write PNG instead of JPEG if the output can be either.")
  var lossless = false
  @OptionGroup var png: CompressionOptions

  func validate() throws { try check("--quality", quality, in: 1...100) }

  /// - Parameter metadata: The metadata that the pictures keep.
  func request(_ metadata: MetadataOptions) -> PictureRequest {
    var request = metadata.request
    (request.quality, request.compression) = (quality, png.compression)
    return request
  }

  /// Names of the options that streams do not have.
  var givenOptions: [String] { (lossless ? ["--lossless"] : []) + png.givenOptions }
}

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
    if let option = givenOptions.first, !hasPNG {
      throw ValidationError("\(option) requires an output as .png")
    }
  }

  /// Names of the options that differ from their defaults.
  var givenOptions: [String] { compression == .default ? [] : ["--compression"] }
}

/// The metadata that stereo and depth photos keep.
struct MetadataOptions: ParsableArguments {
  @Flag(
    help: """
      Copy the photo's whole Exif block, including its location, into photos made from it. By default the location \
      is left out.
      """)
  var keepLocation = false

  @Flag(help: "Copy only orientation, color profile and copyright of the photo's metadata.")
  var stripMetadata = false

  func validate() throws { try namingOptions(request.check) }

  /// Names of the options that were given.
  var givenOptions: [String] {
    (keepLocation ? ["--keep-location"] : []) + (stripMetadata ? ["--strip-metadata"] : [])
  }

  var request: PictureRequest {
    var request = PictureRequest()
    (request.keepLocation, request.stripMetadata) = (keepLocation, stripMetadata)
    return request
  }
}
