import ArgumentParser
import PhotoRuns
package import PictureFiles

/// The metadata that stereo and depth photos keep.
package struct MetadataOptions: ParsableArguments {
  package init() {}

  @Flag(
    help: """
      Copy the photo's whole Exif block, including its location, into photos made from it. By default the location \
      is left out.
      """)
  package var keepLocation = false

  @Flag(help: "Copy only orientation, color profile and copyright of the photo's metadata.")
  package var stripMetadata = false

  package func validate() throws {
    if keepLocation, stripMetadata {
      throw ValidationError("--keep-location and --strip-metadata exclude each other")
    }
  }

  /// Names of the options that were given.
  package var given: [String] {
    (keepLocation ? ["--keep-location"] : []) + (stripMetadata ? ["--strip-metadata"] : [])
  }

  package var policy: MetadataPolicy {
    stripMetadata ? .essential : keepLocation ? .everything : .withoutLocation
  }
}
