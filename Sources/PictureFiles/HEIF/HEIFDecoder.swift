import DepthErrors
package import DepthImages

/// HEIC and AVIF to upright RGB by libheif.
enum HEIFDecoder {
  /// - Throws: `DepthError`.
  static func image(_ bytes: [UInt8], _ header: HEIFHeader, file: String) throws -> Image {
    if let codes = header.codes, let matrix = codes.unknownMatrix, !header.isMonochrome {
      throw DepthError(
        .unsupportedFormat, file: file,
        "has colors of matrix \(codes.matrix) (\(matrix)), unsupported by libheif; convert it")
    }
    let coding = header.convertedCoding
    let task: ChildDecoder.Task =
      coding != nil || header.isMonochrome ? .samples(isMonochrome: header.isMonochrome) : .photo
    let decoded = try decode(task, in: bytes, header, file: file)
    let pixels = decoded.stored.map { samples in
      coding.map(samples.bytes) ?? samples.bytes
    }
    return Image(
      stored: pixels ?? decoded.pixels, .up, height: decoded.height, width: decoded.width,
      exif: decoded.exif.map(tiff), iccProfile: decoded.iccProfile, convertedFrom: coding)
  }

  /// Decodes the bytes passed to libheif.
  ///
  /// - Throws: `DepthError`, which names an unsupported kind of picture.
  fileprivate static func decode(
    _ task: ChildDecoder.Task, in bytes: [UInt8], _ header: HEIFHeader, file: String
  ) throws -> ChildDecoder.Decoded {
    do {
      return try ChildDecoder(format: header.format, file: file).decode(
        task, in: HEIFBytes.readable(bytes), height: header.height, width: header.width,
        stored: header.stored)
    } catch let error as DepthError where error.code == .damaged || error.code == .unsupportedFormat
    {
      throw ISOBoxes(bytes).areWhole ? header.kind.error(of: file) ?? error : error
    }
  }

  /// The TIFF data after a four-byte offset, which cameras set to 0, and an optional "Exif\0\0".
  private static func tiff(_ block: [UInt8]) -> [UInt8] {
    Array(block.dropFirst(block.dropFirst(4).starts(with: "Exif".utf8) ? 10 : 4))
  }
}

/// The depth picture of the primary picture of a HEIC or AVIF file, upright.
package struct HEIFDepth {
  /// Mapping of samples to depth, from the depth representation information.
  package enum Range {
    /// Disparity is linear in the sample: 1/far at 0, 1/near at 255.
    case inverse(near: Double, far: Double)
    /// Depth is linear in the sample: far at 0, near at 255.
    case linear(near: Double, far: Double)

    /// - Parameter representation: `heif_depth_representation_type`; negative for none. A disparity between views cannot be
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
  /// The attached XMP packet.
  package let packet: [UInt8]?
  package let range: Range?

  /// - Throws: `DepthError`; code `noDepth` for a photo without a depth picture.
  package init(decoding bytes: [UInt8], name: String, limits: ImageLimits) throws {
    let header = try HEIFHeader(bytes, file: name, limits: limits)
    let decoded = try HEIFDecoder.decode(
      .depth(maximumPixels: limits.depthPixels(of: (header.height, header.width))), in: bytes,
      header, file: name)
    (height, width, samples) = (decoded.height, decoded.width, decoded.pixels)
    (packet, range) = (decoded.packet, decoded.range)
  }
}

extension HEIFHeader {
  /// The coding, if the numbers must be converted to sRGB.
  var convertedCoding: ColorCoding? { coding.flatMap { $0.needsConversion ? $0 : nil } }
}

extension HEIFHeader.Kind {
  /// The error for a picture that the library does not support; `nil` for a supported picture.
  fileprivate func error(of file: String) -> DepthError? {
    switch self {
    case .usual: nil
    case .compressed(let name):
      DepthError(
        .unsupportedFormat, file: file,
        "is compressed as \(name), which the installed libheif does not decode, expected HEVC or AV1"
      )
    case .layered:
      DepthError(
        .unsupportedFormat, file: file,
        "has several layers, which the installed libheif does not decode, expected one")
    }
  }
}

extension ImageLimits {
  /// The maximum pixels of a depth picture in a photo of this size. It is the number of the photo's pixels, for which memory
  /// is reserved, and at least 4 megapixels, since an editor may have reduced the photo.
  package func depthPixels(of photo: (height: Int, width: Int)) -> Int {
    min(maximumPixels, max(photo.height * photo.width, 4 << 20))
  }
}
