import PictureFiles
import Testing

@testable import FilmFiles

/// Film tags that each metadata policy copies.
@Suite struct MetadataTagTests {
  @Test(
    "tags of location and identity are left out",
    arguments: [
      "location", "location-eng", "com.apple.quicktime.location.ISO6709", "RECORDING_LOCATION",
      "©xyz",
      "loci", "GPSLatitude", "com.apple.quicktime.owner", "serial_number",
    ])
  func theLocationHasManyNames(tag: String) {
    #expect(!MetadataPolicy.withoutLocation.lets(pass: tag))
    #expect(MetadataPolicy.everything.lets(pass: tag))
    #expect(!MetadataPolicy.essential.lets(pass: tag))
  }

  @Test(
    "a tag's name may contain a location tag's name",
    arguments: ["title", "make", "velocity", "xyzzy"])
  func otherTagsAreCopied(tag: String) {
    #expect(MetadataPolicy.withoutLocation.lets(pass: tag))
  }
}
