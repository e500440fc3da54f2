package import DepthImages

/// The part of a photo's or film's metadata that is copied to derived files.
///
/// Photos keep their Exif block and color profile, but never XMP and IPTC blocks. Films keep the tags of the file and its
/// streams.
///
/// ```swift
/// let shared = try DepthPhoto.encode(photo, depth: depth, as: .gDepth, metadata: .withoutLocation)
/// ```
public enum MetadataPolicy: Sendable, Hashable, CaseIterable {
  /// The color profile and the whole Exif block, including the photo's location; all tags of a film.
  case everything
  /// The color profile, and Exif without location, owner's name and serial numbers. The GPS directory, geographic tags and
  /// maker notes are removed. So are embedded XMP and IPTC, and the thumbnail, which may repeat the location. Films keep all
  /// tags except location, owner and serial numbers.
  case withoutLocation
  /// Orientation, color profile and copyright; for films, copyright, languages, and the names of attached files.
  case essential
}

extension ImageMetadata {
  /// The metadata that a policy allows.
  ///
  /// ``focalLengthIn35mmFilm`` is kept for computations but not written to files.
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
  /// The photo with the metadata that a policy allows; the pixels are shared.
  package func withMetadata(_ policy: MetadataPolicy) -> Image {
    var result = self
    result.metadata = metadata.reduced(to: policy)
    return result
  }
}
