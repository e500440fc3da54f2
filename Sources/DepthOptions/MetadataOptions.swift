import ArgumentParser
import PhotoRuns
package import PictureFiles

/// The metadata that stereo and depth photos keep.
package struct MetadataOptions: ParsableArguments {
  package init() {}

  @Flag(help: "Keep the location where the photo was taken in stereo and depth photos.")
  package var keepLocation = false

  @Flag(help: "Keep only the photo's orientation, color profile and copyright.")
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
