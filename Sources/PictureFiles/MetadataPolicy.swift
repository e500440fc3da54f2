public import DepthImages

/// The part of a photo's metadata that is copied into pictures made from it.
///
/// Only the Exif block and the color profile ever go along; a photo's XMP and IPTC never do.
///
/// ```swift
/// let shared = photo.metadata.reduced(to: .withoutLocation)
/// ```
public enum MetadataPolicy: Sendable, Hashable, CaseIterable {
  /// The whole Exif block, and with it where the photo was taken.
  case everything
  /// Exif without location: no GPS directory, no geographic tags, and nothing that may repeat the
  /// location unseen, which is maker notes, embedded XMP and IPTC, and the thumbnail.
  case withoutLocation
  /// Orientation, color profile and copyright.
  case essential
}

extension ImageMetadata {
  /// The metadata that a policy lets pass.
  ///
  /// ``focalLengthIn35mmFilm`` stays: it is for computing and is not written from here.
  public func reduced(to policy: MetadataPolicy) -> ImageMetadata {
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
