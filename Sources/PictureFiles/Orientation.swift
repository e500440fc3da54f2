import DepthBase
import DepthImages

/// The orientation of stored pixels in Exif's numbering: the sides of the scene in row 0 and column 0.
///
/// > Source: CIPA DC-008 (Exif 2.32), section 4.6.4, tag 0x0112.
package enum Orientation: Int, CaseIterable {
  case up = 1
  case upMirrored, down, downMirrored, leftMirrored, right, rightMirrored, left

  /// The orientation in an Exif block; `up` without a readable block.
  init(exif: [UInt8]?) { self = exif.flatMap(ExifBlock.init)?.orientation ?? .up }

  /// Whether rows become columns.
  var swapsSides: Bool { rawValue >= 5 }

  /// Rotates stored samples upright.
  ///
  /// - Parameters:
  ///   - samples: `height × width × channels` samples as stored.
  ///   - channels: Samples per pixel; a literal, so that the loop over them is unrolled.
  ///   - height: Rows as stored.
  ///   - width: Columns as stored.
  /// - Returns: The upright `height × width × channels` samples and their sides.
  @inline(__always)
  func upright<Sample: Numeric & BitwiseCopyable>(
    _ samples: [Sample], channels: Int, height: Int, width: Int
  ) -> (samples: [Sample], height: Int, width: Int) {
    guard self != .up else { return (samples, height, width) }
    // Upright pixel (y, x) is stored at origin + y·down + x·right.
    let (last, bottom) = (width - 1, (height - 1) * width)
    let (origin, down, right) =
      switch self {
      case .up: (0, width, 1)
      case .upMirrored: (last, width, -1)
      case .down: (bottom + last, -width, -1)
      case .downMirrored: (bottom, -width, 1)
      case .leftMirrored: (0, 1, width)
      case .right: (bottom, 1, -width)
      case .rightMirrored: (bottom + last, -1, -width)
      case .left: (last, -1, width)
      }
    let (rows, columns) = swapsSides ? (width, height) : (height, width)
    let turned: [Sample] = filledArray(count: samples.count) { target in
      let source = samples.span
      // Tiles keep the source and destination rows in the first-level cache.
      let tile = 32
      for top in stride(from: 0, to: rows, by: tile) {
        for start in stride(from: 0, to: columns, by: tile) {
          for y in top..<min(rows, top + tile) {
            var from = (origin + y * down + start * right) * channels
            var to = (y * columns + start) * channels
            for _ in start..<min(columns, start + tile) {
              for channel in 0..<channels { target[to + channel] = source[from + channel] }
              from += right * channels
              to += channels
            }
          }
        }
      }
    }
    return (turned, rows, columns)
  }
}

extension Image {
  /// Creates an upright picture from decoded pixels. Gray pixels are converted to sRGB, since RGB pixels cannot have a gray
  /// profile. Profiles for inks are dropped.
  ///
  /// - Parameters:
  ///   - pixels: `height × width × 3` bytes as stored.
  ///   - orientation: Orientation of the pixels; by default that in the Exif block.
  ///   - coding: The original coding of pixels that were converted to sRGB.
  init(
    stored pixels: [UInt8], _ orientation: Orientation? = nil, height: Int, width: Int,
    exif: [UInt8]?, iccProfile: [UInt8]?, convertedFrom coding: ColorCoding? = nil
  ) {
    var pixels = pixels
    var note = coding?.note
    if let profile = iccProfile, ICCProfile.describesGray(profile), Self.isGray(pixels) {
      if let conversion = ICCProfile.grayConversion(by: profile) {
        pixels = conversion.bytes(of: pixels, channels: 3)
      } else if case .unknown = ICCProfile.meaning(of: profile) {
        note = ICCProfile.noteOfUnknown
      }
    }
    let upright = (orientation ?? Orientation(exif: exif))
      .upright(pixels, channels: 3, height: height, width: width)
    self.init(
      height: upright.height, width: upright.width, pixels: upright.samples,
      metadata: ImageMetadata(
        decodingExif: exif,
        iccProfile: iccProfile.flatMap { ICCProfile.describesRGB($0) ? $0 : nil }, width: width,
        height: height))
    metadata.colorNote = note
  }

  private static func isGray(_ pixels: [UInt8]) -> Bool {
    let pixels = pixels.span
    for place in stride(from: 0, to: pixels.count, by: 3) {
      let red = pixels[place]
      guard pixels[place + 1] == red, pixels[place + 2] == red else { return false }
    }
    return true
  }
}
