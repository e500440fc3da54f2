import DepthImages

/// Color profiles, and their chunk in PNG files.
///
/// > Source: W3C PNG (Third Edition), section 11.3.2.3, “iCCP”; ICC.1:2022, section 7.2.
package enum ICCProfile {
  /// Returns whether the profile is for RGB pixels, not for inks or grays. ICC.1:2022, table 19.
  static func describesRGB(_ profile: [UInt8]) -> Bool {
    ByteReader(bytes: profile).holds("RGB ", at: 16)
  }

  /// Returns whether the profile is for gray pictures.
  static func describesGray(_ profile: [UInt8]) -> Bool {
    ByteReader(bytes: profile).holds("GRAY", at: 16)
  }

  /// The `iCCP` chunk of a color picture.
  ///
  /// - Throws: `DepthError` when zlib has no memory.
  static func chunk(_ profile: [UInt8]) throws -> [UInt8] {
    // Name with its zero byte, and compression method 0.
    PNGChunks.chunk("iCCP", Array("ICC profile\0\0".utf8) + (try Deflate.compressed(profile)))
  }

  /// The profile of a PNG file; `nil` if it is missing, damaged or for colors that a PNG cannot
  /// have.
  static func profile(of chunks: PNGChunks) -> [UInt8]? {
    guard let data = chunks.data(of: "iCCP"), let end = data.firstIndex(of: 0),
      data.count > end + 2, data[end + 1] == 0,
      let profile = Deflate.decompressed(data[(end + 2)...], limit: ImageMetadata.blockLimit)
    else { return nil }
    return describesRGB(profile) || describesGray(profile) ? profile : nil
  }
}
