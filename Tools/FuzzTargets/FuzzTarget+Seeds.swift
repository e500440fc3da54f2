import DepthImages
import DepthPhotos
import PictureFiles
import StereoPhotos
import ViewSynthesis

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension FuzzTarget {
  /// Valid inputs to begin with, made by this package.
  ///
  /// - Parameter weights: A file of weights, whose beginning is a seed.
  /// - Throws: `DepthError`; nothing in practice.
  public func seeds(weights: URL) throws -> [[UInt8]] {
    let image = Self.image
    let map = Self.map
    switch self {
    case .jpeg:
      return try [
        image.encoded(as: .jpeg()), image.encoded(as: .jpeg(quality: 20, chroma: .full)),
        Self.withExif(image).encoded(as: .jpeg()),
      ]
    case .png:
      return try [
        image.encoded(as: .png), Self.withExif(image).encoded(as: .png, compression: .small),
        FileNote.adding("depth 0.1.0", to: image.encoded(as: .png)) ?? [],
      ]
    case .depthFile:
      return try [
        map.encoded(as: .png), map.encoded(as: .pfm), map.encoded(as: .npy),
        map.normalized().encoded(as: .png), map.picture(.gray).encoded(as: .jpeg()),
      ]
    case .depthPhoto:
      let pair = try image.stereoPair(depth: map)
      return try DepthPhoto.Format.allCases.map {
        try DepthPhoto.encode(image, depth: map, as: $0)
      } + [pair.mpo()]
    case .frames:
      let pixels = [UInt8](repeating: 90, count: 24 * 16 * 3)
      let jpeg = try image.encoded(as: .jpeg())
      return [
        Array("YUV4MPEG2 W24 H16 F30:1 Ip A1:1 C444 XCOLORRANGE=FULL\nFRAME\n".utf8) + pixels,
        Array("YUV4MPEG2 W24 H16 F25:1 C420jpeg\nFRAME Ip\n".utf8) + pixels.prefix(24 * 16 * 3 / 2),
        Array("YUV4MPEG2 W24 H16 Cmono\nFRAME\n".utf8) + pixels.prefix(24 * 16),
        Array("P6 24 16 # a comment\n255\n".utf8) + pixels,
        Array("P5\n24 16\n65535\n".utf8) + pixels.prefix(24 * 16 * 2), jpeg + jpeg,
      ]
    case .weights:
      // The checksum of the rest fails; everything before it is looked at.
      return [Array(try Data(contentsOf: weights).prefix(1 << 14))]
    case .requestLine:
      return [
        #"{"id":[1,{"a":null}],"input":"a\u00e9\ud83d\ude00.jpg","fov":6.3e1,"fill":true}"#,
        #" { "input" : "x" , "id" : -0.5E-10 } "#, "{}",
      ].map { Array($0.utf8) }
    }
  }

  private static let image = Image(
    height: 16, width: 24, pixels: (0..<16 * 24 * 3).map { UInt8(($0 * 5) & 255) })

  private static let map = DepthMap(
    height: 8, width: 12, unit: .metres, values: (0..<96).map { Float($0 % 12) * 0.25 })

  /// The picture with an Exif block: turned, and with a focal length.
  private static func withExif(_ image: Image) -> Image {
    // TIFF, big-endian: orientation 6 in the first directory.
    let block: [UInt8] =
      Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
      + [0, 0, 0, 0]
    var metadata = image.metadata
    metadata.exif = block
    return Image(
      height: image.height, width: image.width, pixels: image.pixels, metadata: metadata)
  }
}
