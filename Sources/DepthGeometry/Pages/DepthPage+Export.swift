import DepthBase
import DepthErrors
package import DepthImages
import PictureFiles
import SystemEssentials

extension DepthPage {
  /// Facts about a page's depth, with the fields of the server's responses.
  package struct Facts: Sendable {
    /// See `DepthEstimate.uncertainty`; `nil` if unknown.
    package var uncertainty: Double?
    /// The factor from the uncertainty to the displayed error.
    package var errorFactor: Double?
    /// `exif`, `option` or `assumed`.
    package var focalLengthSource: String?

    package init(
      uncertainty: Double? = nil, errorFactor: Double? = nil, focalLengthSource: String? = nil
    ) {
      (self.uncertainty, self.errorFactor) = (uncertainty, errorFactor)
      self.focalLengthSource = focalLengthSource
    }
  }

  /// A self-contained page with a photo and its depth. It opens from the file system and makes no requests.
  ///
  /// The photo is a JPEG whose only metadata is its color profile. The map is a 16-bit PNG of millimetres. The
  /// page's policy forbids all connections.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - depth: The photo's depth in a unit, of the photo's size or smaller.
  ///   - camera: The photo's camera, for the point cloud.
  ///   - facts: Facts about the depth.
  ///   - name: The photo's file name, displayed and used for files that the page saves.
  ///   - quality: JPEG quality of the photo, 1…100.
  ///   - threads: Number of threads, 1…256; `nil` for one per processor. The number does not affect the text.
  /// - Returns: HTML text.
  /// - Throws: `DepthError` for a normalized map, a map without depths for geometry, and encoding errors.
  package static func html(
    photo: Image, depth: DepthMap, camera: Camera, facts: Facts = Facts(),
    name: String = "photo.jpg", quality: Int = 90, threads: Int? = nil
  ) throws -> String {
    let metres = try depth.inMetres().inSpace()
    let call = CallContext(threads: try ThreadCount.checked(threads))
    var plain = photo
    plain.metadata = ImageMetadata(iccProfile: photo.metadata.iccProfile)
    let picture = try plain.encoded(as: .jpeg(quality: quality), call: call)
    let map = try metres.encoded(as: .png, call: call)
    let known = [
      facts.uncertainty.map { "\"uncertainty\":\($0)" },
      facts.errorFactor.map { "\"error_factor\":\($0)" },
      facts.focalLengthSource.map { "\"focal_length_source\":\(quoted($0))" },
    ].compactMap(\.self).joined(separator: ",")
    let embedded = """
      {"name":\(quoted(name)),"width":\(photo.width),"height":\(photo.height),"facts":{\(known)},\
      "focal_length_share":\(camera.focalLength / Double(camera.width)),\
      "photo":"\(Data(picture).base64EncodedString())","depth":"\(Data(map).base64EncodedString())"}
      """
    // Scripts cannot be inserted into a finished file, so a constant nonce suffices.
    let nonce = "depth"
    let policy =
      "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; "
      + "img-src data: blob:"
    return page(nonce: nonce, policy: policy, embedded: embedded)
  }

  /// A JSON string that cannot end the surrounding script element.
  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar -> String in
      switch scalar {
      case " "..."~" where !"\"\\<>&".unicodeScalars.contains(scalar): return String(scalar)
      default:
        return Array(String(scalar).utf16).map {
          let digits = String($0, radix: 16)
          return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
      }
    }
    return "\"\(escaped.joined())\""
  }
}
