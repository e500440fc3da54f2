import ArgumentParser
import DepthRequests
import PictureFiles

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
  var given: [String] { (lossless ? ["--lossless"] : []) + png.given }
}
