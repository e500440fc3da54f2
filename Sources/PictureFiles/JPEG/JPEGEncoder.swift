import DepthBase
import DepthErrors
import DepthImages

#if Codecs
  import CDepthTurboJPEG
#endif

/// Encodes RGB as JPEG by TurboJPEG, with the photo's Exif block and color profile and the program's name.
package enum JPEGEncoder {
  /// Longest side. T.81 allows 65535, but libjpeg only 65500.
  static let maximumSide = 65_500

  /// A whole file with the photo's Exif block and color profile.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat` for a quality outside 1…100 or a side above
  ///   ``maximumSide``.
  static func bytes(
    of image: Image, quality: Int, chroma: ChromaSubsampling, progressive: Bool = false
  ) throws -> [UInt8] {
    guard ImageFileFormat.qualities.contains(quality) else {
      throw failure("the quality is \(quality), expected 1 to 100")
    }
    let code = try compress(
      image.pixels, height: image.height, width: image.width, chroma: chroma,
      quality: quality, progressive: progressive)
    return inserting(segments(of: image), into: code)
  }

  /// A JPEG file without the photo's own segments (Exif, color profile).
  static func compress(
    _ pixels: [UInt8], height: Int, width: Int, chroma: ChromaSubsampling, quality: Int,
    progressive: Bool
  ) throws -> [UInt8] {
    #if Codecs
      guard max(height, width) <= maximumSide else {
        throw failure(
          "holds at most \(maximumSide) pixels per side, the picture is \(width)×\(height)")
      }
      guard let handle = unsafe tjInitCompress() else {
        throw failure("TurboJPEG cannot be initialized")
      }
      defer { unsafe tjDestroy(handle) }
      var buffer: UnsafeMutablePointer<UInt8>?
      var size: UInt = 0
      defer { unsafe tjFree(buffer) }
      let subsampling = chroma == .full ? TJSAMP_444 : TJSAMP_420
      let flags = TJFLAG_ACCURATEDCT | (progressive ? TJFLAG_PROGRESSIVE : 0)
      let status = unsafe tjCompress2(
        handle, pixels, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), &buffer, &size,
        Int32(subsampling.rawValue), Int32(quality), flags)
      guard status == 0, let buffer = unsafe buffer else {
        throw unsafe failure(String(cString: tjGetErrorStr2(handle)))
      }
      return unsafe Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
    #else
      throw DepthError.withoutCodecs(format: "JPEG", file: nil)
    #endif
  }

  /// Inserts segments at the place that the standards require: after SOI and an optional JFIF segment.
  static func inserting(_ segments: [UInt8], into code: [UInt8]) -> [UInt8] {
    guard !segments.isEmpty else { return code }
    let reader = ByteReader(bytes: code)
    var offset = 2
    if reader.integer(UInt16.self, at: 2) == 0xFFE0 {
      offset = 4 + Int(reader.integer(UInt16.self, at: 4) ?? 0)
    }
    var whole = Array(code[..<offset])
    whole += segments
    whole += code[offset...]
    return whole
  }

  /// APP1 with Exif, a comment with the program's name, and APP2 with the profile. Data that does not fit is
  /// omitted: an Exif block above 65 527 bytes, or a profile above 255 segments.
  private static func segments(of image: Image) -> [UInt8] {
    var result: [UInt8] = []
    if let exif = image.metadata.exif.flatMap(ExifBlock.init) {
      let block = exif.upright(width: image.width, height: image.height)
      appendSegment(0xE1, Array("Exif\0\0".utf8) + block, to: &result)
    }
    if let software = image.metadata.software {
      appendSegment(JPEGMarker.comment, Array(software.utf8), to: &result)
    }
    if let profile = image.metadata.iccProfile, !profile.isEmpty {
      let part = 65_519  // 65 533 less the 14 bytes of the segment's own header
      let count = (profile.count + part - 1) / part
      for index in 0..<count where count <= 255 {
        let body = profile[index * part..<min(profile.count, (index + 1) * part)]
        let head = Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(count)]
        appendSegment(0xE2, head + body, to: &result)
      }
    }
    return result
  }

  private static func appendSegment(_ marker: UInt8, _ body: [UInt8], to result: inout [UInt8]) {
    guard body.count <= 65_533 else { return }
    result += JPEGFile.segment(marker, body)
  }

  private static func failure(_ reason: String) -> DepthError {
    .unencodable(format: "JPEG", reason: reason)
  }
}
