import ArgumentParser
import PhotoRuns
package import PictureFiles

/// The metadata that stereo and depth photos keep.
package struct MetadataOptions: ParsableArguments {
  package init() {}

  @Flag(help: "Keep the photo's whole Exif block, with its location, in the pictures made from it.")
  package var keepLocation = false

  @Flag(help: "Keep only orientation, color profile and copyright of the photo's metadata.")
  package var stripMetadata = false

  package func validate() throws {
    if keepLocation, stripMetadata {
      throw ValidationError("--keep-location and --strip-metadata exclude each other")
    }
  }

  package var policy: MetadataPolicy {
    stripMetadata ? .essential : keepLocation ? .everything : .withoutLocation
  }
}
