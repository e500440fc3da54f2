import DepthErrors
import DepthImages
import PictureFiles

extension DepthPhoto {
  /// The depth picture of a multi-picture JPEG, as written by an iPhone set to "Most Compatible".
  ///
  /// The picture is gray and has the XMP packet of ``PixelDataInfo``.
  ///
  /// - Returns: The map, not turned upright; `nil` if no further picture contains depth.
  static func multiPictureMap(
    _ bytes: [UInt8], name: String, limits: ImageLimits
  ) throws -> DepthMap? {
    for place in MultiPictureIndex.pictures(of: bytes) {
      let picture = Array(bytes[place])
      guard let file = try? JPEGFile(picture, name: name),
        let packet = file.bodies(of: 0xE1, named: XMPPackets.standardName).first,
        let info = PixelDataInfo(packet: Array(packet))
      else { continue }
      let gray = try Image(decoding: picture, name: "\(name), its depth", limits: limits)
      let samples = stride(from: 0, to: gray.pixels.count, by: 3).map { gray.pixels[$0] }
      return DepthRepresentation(info).map(samples, height: gray.height, width: gray.width)
    }
    return nil
  }
}
