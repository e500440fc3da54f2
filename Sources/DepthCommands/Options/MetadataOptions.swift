import ArgumentParser
import DepthRequests
import PictureFiles

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
  var given: [String] {
    (keepLocation ? ["--keep-location"] : []) + (stripMetadata ? ["--strip-metadata"] : [])
  }

  var request: PictureRequest {
    var request = PictureRequest()
    (request.keepLocation, request.stripMetadata) = (keepLocation, stripMetadata)
    return request
  }
}
