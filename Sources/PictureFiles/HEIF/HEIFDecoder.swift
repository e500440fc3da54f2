import DepthErrors
package import DepthImages

/// HEIC and AVIF to upright RGB by libheif.
enum HEIFDecoder {
  /// - Throws: `DepthError`.
  static func image(_ bytes: [UInt8], _ header: HEIFHeader, file: String) throws -> Image {
    let decoded = try ChildDecoder(format: header.format, file: file)
      .decode(.photo, in: bytes, height: header.height, width: header.width)
    return Image(
      stored: decoded.pixels, .up, height: decoded.height, width: decoded.width,
      exif: decoded.exif.map(tiff), iccProfile: decoded.iccProfile)
  }

  /// The TIFF data after the four bytes of its offset, which cameras set to 0, and an optional "Exif\0\0".
  private static func tiff(_ block: [UInt8]) -> [UInt8] {
    Array(block.dropFirst(block.dropFirst(4).starts(with: "Exif".utf8) ? 10 : 4))
  }
}

/// The depth picture that belongs to the primary picture of a HEIC or AVIF file, upright.
package struct HEIFDepth {
  /// Mapping of samples to depth, from the depth representation information.
  package enum Range {
    /// Disparity is linear in the sample: 1/far at 0, 1/near at 255.
    case inverse(near: Double, far: Double)
    /// Depth is linear in the sample: far at 0, near at 255.
    case linear(near: Double, far: Double)

    /// - Parameter representation: `heif_depth_representation_type`; negative for none. Disparity between views cannot be
    ///   converted to metres without a baseline.
    init?(representation: Int32, near: Double, far: Double) {
      guard near > 0, far > near, far.isFinite else { return nil }
      switch representation {
      case 0: self = .inverse(near: near, far: far)
      case 2: self = .linear(near: near, far: far)
      default: return nil
      }
    }
  }

  package let height, width: Int
  package let samples: [UInt8]
  /// XMP that the camera attached.
  package let packet: [UInt8]?
  package let range: Range?

  /// - Throws: `DepthError`; with code `noDepth` for a photo without such a picture.
  package init(decoding bytes: [UInt8], name: String, limits: ImageLimits) throws {
    let header = try HEIFHeader(bytes, file: name, limits: limits)
    let decoded = try ChildDecoder(format: header.format, file: name)
      .decode(.depth, in: bytes, height: header.height, width: header.width)
    (height, width, samples) = (decoded.height, decoded.width, decoded.pixels)
    (packet, range) = (decoded.packet, decoded.range)
  }
}
