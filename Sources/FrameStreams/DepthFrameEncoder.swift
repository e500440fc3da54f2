package import DepthImages
package import PictureFiles

/// Encodes depth maps as frames of a stream.
///
/// > Source: ROS REP 118, "Depth Images", for the two numeric formats; mjpegtools, `yuv4mpeg(5)`.
package struct DepthFrameEncoder: Sendable {
  package var format: DepthFrameFormat
  package var colorMap: ColorMap
  /// Frames per second, in the header of YUV4MPEG2.
  package var rate: Ratio
  /// Width over height of the input's pixels; `0:0` if unknown.
  package var pixelAspect: Ratio

  package init(
    format: DepthFrameFormat, colorMap: ColorMap = .inferno, rate: Ratio,
    pixelAspect: Ratio = Ratio(0, 0)
  ) {
    (self.format, self.colorMap) = (format, colorMap)
    (self.rate, self.pixelAspect) = (rate, pixelAspect)
  }

  /// The stream's header, before the first frame; empty for formats without a header.
  ///
  /// - Parameters:
  ///   - depth: Size of the maps.
  ///   - photo: Size of the frames.
  package func header(depth: PixelSize, photo: PixelSize) -> [UInt8] {
    let size = format == .beside ? PixelSize(width: 2 * photo.width, height: photo.height) : depth
    let colors: String
    switch format {
    case .gray8: colors = "Cmono XCOLORRANGE=FULL"
    case .gray16: colors = "Cmono16 XCOLORRANGE=FULL"
    case .color, .beside: colors = Self.layout.tags
    case .pgm8, .pgm16, .float32, .millimetres: return []
    }
    // If the map and the photo differ in proportions, their pixels differ in aspect ratio.
    let aspect =
      format == .beside
      ? pixelAspect
      : pixelAspect.times(Ratio(photo.width, depth.width))
        .times(Ratio(depth.height, photo.height))
    return Array(
      "YUV4MPEG2 W\(size.width) H\(size.height) F\(rate) Ip A\(aspect) \(colors)\n".utf8)
  }

  /// Encodes one frame.
  ///
  /// - Parameters:
  ///   - depth: A map in metres, or for pictures also in relative disparity. For ``DepthFrameFormat/beside``, it
  ///     has the photo's size.
  ///   - photo: The frame of the map.
  ///   - range: Disparities of black and white; see `PictureRange`.
  package func frame(_ depth: DepthMap, photo: Image, range: ClosedRange<Float>) -> [UInt8] {
    switch format {
    case .float32: return depth.littleEndianMetres
    case .millimetres: return depth.littleEndianMillimetres
    case .gray8: return Self.frameLine + depth.levels(range, steps: 255).map { UInt8($0) }
    case .gray16:
      return Self.frameLine
        + depth.levels(range, steps: 65535).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    case .pgm8:
      return pgmHeader(depth, 255) + depth.levels(range, steps: 255).map { UInt8($0) }
    case .pgm16:
      return pgmHeader(depth, 65535)
        + depth.levels(range, steps: 65535).flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    case .color:
      return Self.layout.planes(colored(depth, range), after: Self.frameLine)
    case .beside:
      precondition((depth.height, depth.width) == (photo.height, photo.width))
      return Self.layout.planes(photo.beside(colored(depth, range)), after: Self.frameLine)
    }
  }

  private func colored(_ depth: DepthMap, _ range: ClosedRange<Float>) -> Image {
    Image(
      height: depth.height, width: depth.width, pixels: depth.colored(colorMap, range))
  }

  /// The layout of color pictures. The header names the matrix, because readers assume another matrix for wide
  /// frames.
  private static let layout = PlanarLayout(chroma: .full, matrix: .bt601)

  private static let frameLine = Array("FRAME\n".utf8)

  private func pgmHeader(_ depth: DepthMap, _ maximum: Int) -> [UInt8] {
    Array("P5\n\(depth.width) \(depth.height)\n\(maximum)\n".utf8)
  }
}

extension Image {
  /// This picture on the left, and a picture of equal height on the right.
  fileprivate func beside(_ right: Image) -> Image {
    var both: [UInt8] = []
    both.reserveCapacity(pixels.count + right.pixels.count)
    for y in 0..<height {
      for picture in [self, right] {
        both += picture.pixels[3 * picture.width * y..<3 * picture.width * (y + 1)]
      }
    }
    return Image(height: height, width: width + right.width, pixels: both)
  }
}
