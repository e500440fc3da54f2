import Tensors

/// RGB to 8-bit PNG, with the photo's Exif block put back.
enum PNGEncoder {
  static func bytes(of image: Image) throws -> [UInt8] {
    let code = try PNGPixels.encode(
      image.pixels, height: image.height, width: image.width, as: .rgb8)
    guard let exif = image.metadata.exif.flatMap(ExifBlock.init) else { return code }
    let block = exif.upright(width: image.width, height: image.height)
    return inserting(PNGChunks.chunk("eXIf", block), into: code)
  }

  /// Puts chunks directly behind the header: 8 bytes of signature, 25 of IHDR.
  static func inserting(_ chunks: [UInt8], into code: [UInt8]) -> [UInt8] {
    Array(code[..<33]) + chunks + code[33...]
  }
}
