import ArgumentParser
import PictureFiles

/// Whether pictures are JPEG or PNG, their quality and their compression.
struct PictureFormatOptions: ParsableArguments {
  @Option(
    name: .customLong("quality"),
    help: ArgumentHelp(
      "JPEG quality, 1 to 100; \(ImageFileFormat.defaultQuality) by default.", valueName: "n"))
  var wantedQuality: Int?
  @Flag(help: "Write PNG instead of JPEG if the output can be either.")
  var lossless = false
  @OptionGroup var png: CompressionOptions

  func validate() throws { try check("--quality", wantedQuality, in: 1...100) }

  /// JPEG quality.
  var quality: Int { wantedQuality ?? ImageFileFormat.defaultQuality }

  /// Refuses options that have no effect on a file.
  ///
  /// - Parameter ending: The extension of the file.
  /// - Throws: A validation error.
  func check(writing ending: String) throws {
    if wantedQuality != nil, !["jpg", "mpo"].contains(ending) {
      throw ValidationError("--quality is for JPEG, and the output is a .\(ending)")
    }
    try png.check(hasPNG: ending == "png")
  }

  /// Names of the options that streams do not have.
  var given: [String] { (lossless ? ["--lossless"] : []) + png.given }
}
