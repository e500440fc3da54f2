package import PictureFiles

/// How pictures are stored.
package struct PictureRequest: Request {
  /// JPEG quality, 1 to 100; `nil` for the default.
  package var quality: Int?
  package var compression = PNGCompression.default
  /// Whether the photo's whole Exif block is copied, its location, too.
  package var keepLocation = false
  /// Whether only orientation, color profile and copyright are copied.
  package var stripMetadata = false

  package init() {}

  package func check() throws(InvalidRequest) {
    try check("quality", quality, in: 1...100)
    try checkExclusive(["keepLocation": keepLocation, "stripMetadata": stripMetadata])
  }

  /// Refuses fields that have no effect on a file.
  ///
  /// - Parameter ending: The extension of the file.
  package func check(writing ending: String) throws(InvalidRequest) {
    if quality != nil, !["jpg", "mpo"].contains(ending) {
      throw InvalidRequest("`quality` is for JPEG, and the output is a .\(ending)")
    }
    if compression != .default, ending != "png" {
      throw InvalidRequest("`compression` is for PNG, and no output is a .png")
    }
  }

  package var jpegQuality: Int { quality ?? ImageFileFormat.defaultQuality }

  package var metadata: MetadataPolicy {
    stripMetadata ? .essential : keepLocation ? .everything : .withoutLocation
  }
}
