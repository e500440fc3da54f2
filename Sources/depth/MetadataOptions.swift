import ArgumentParser
import PictureFiles

/// The metadata that stereo and depth photos keep.
struct MetadataOptions: ParsableArguments {
  @Flag(help: "Keep where the photo was taken in stereo and depth photos.")
  var keepLocation = false

  @Flag(help: "Keep only orientation, color profile and copyright.")
  var stripMetadata = false

  func validate() throws {
    if keepLocation, stripMetadata {
      throw ValidationError("--keep-location and --strip-metadata exclude each other")
    }
  }

  var policy: MetadataPolicy {
    stripMetadata ? .essential : keepLocation ? .everything : .withoutLocation
  }
}
