import DepthErrors

/// Unusual kinds of photos, which are reported to users.
extension PhotoFile {
  /// The arrangement of a stereo photo's two views, in words; `nil` for a photo with one view.
  ///
  /// > Source: JPS, J. Siragusa et al. "General Purpose Stereoscopic Data Descriptor," 1997; CIPA DC-007, section 5.2.3.3.1 (type code);
  /// > PNG extensions 1.5, section 4.3 (`sTER`); Apple, "Creating spatial photos and videos with spatial metadata" (`ster`).
  package var stereoKind: String? {
    switch header {
    case .jpeg(let header):
      header.jpsLayout ?? (MultiPictureIndex.holdsViews(bytes) ? "multi-picture" : nil)
    case .png(let chunks): chunks.has("sTER") ? "side by side" : nil
    case .heif(let header): header.isStereo ? "two pictures" : nil
    case .webp: nil
    }
  }

  /// Whether the photo is a panorama: all or some directions, projected onto a sphere or cylinder.
  ///
  /// > Source: Google, "Photo Sphere XMP Metadata," `GPano:ProjectionType`.
  package var isPanorama: Bool {
    let reader = ByteReader(bytes: bytes)
    return packets.contains {
      reader.contains("/photos/1.0/panorama/", in: $0) && reader.contains("ProjectionType", in: $0)
    }
  }

  /// Ranges of uncompressed XMP.
  private var packets: [Range<Int>] {
    switch header {
    case .jpeg(let header): header.packet.map { [$0] } ?? []
    case .png(let chunks): chunks.packet.map { [$0] } ?? []
    case .heif(let header): header.packets
    case .webp(let header): header.packet.map { [$0] } ?? []
    }
  }

  /// Sentences about unusual properties of the photo.
  package var notes: [String] {
    var notes: [String] = []
    if isAnimation { notes.append("is an animation, of which the first frame is read") }
    if let stereoKind {
      notes.append("is a stereo photo (\(stereoKind)), but is processed as a single view")
    }
    if isPanorama { notes.append("is a 360° photo, but is processed as a flat one") }
    return notes
  }

  /// Throws for a photo that already has two views.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat`.
  package func requireOneView() throws {
    guard let stereoKind else { return }
    throw DepthError.unsupportedFormat(
      file: name, expected: "one view", found: "a stereo photo already (\(stereoKind))")
  }
}
