package import DepthImages

/// The part of the metadata of a photo or film that is copied into what is made from it.
///
/// Photos: the Exif block and the color profile; XMP and IPTC blocks are never copied. Films: the tags of the file and of its streams.
///
/// ```swift
/// let shared = try DepthPhoto.encode(photo, depth: depth, as: .gDepth, metadata: .withoutLocation)
/// ```
public enum MetadataPolicy: Sendable, Hashable, CaseIterable {
  /// The whole Exif block, including the location where the photo was taken, and the color profile; all tags of a film.
  case everything
  /// The color profile and Exif without location, the owner's name and serial numbers: the GPS directory and geographic tags are
  /// removed, and so are maker notes, embedded XMP and IPTC, and the thumbnail, because they may repeat the location. Of a film, all
  /// tags but those of the location, the owner and serial numbers.
  case withoutLocation
  /// Orientation, color profile and copyright; of a film, copyright, languages, and the names of attached files.
  case essential
}

extension ImageMetadata {
  /// The metadata that a policy allows to be copied.
  ///
  /// ``focalLengthIn35mmFilm`` does not change: it is used in computations, but not written to files.
  package func reduced(to policy: MetadataPolicy) -> ImageMetadata {
    var result = self
    switch policy {
    case .everything: break
    case .withoutLocation: result.exif = exif.flatMap(ExifBlock.init)?.withoutLocation
    case .essential: result.exif = exif.flatMap(ExifBlock.init)?.essential
    }
    return result
  }
}

extension Image {
  /// The photo with the metadata that a policy lets pass; the pixels are shared.
  package func withMetadata(_ policy: MetadataPolicy) -> Image {
    var result = self
    result.metadata = metadata.reduced(to: policy)
    return result
  }
}
