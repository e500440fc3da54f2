import DepthImages
import PictureFiles
public import SystemEssentials

extension FuzzTarget {
  /// Inputs to begin with, made by this package.
  ///
  /// - Parameter weights: A file of weights, whose beginning is a seed.
  /// - Throws: `DepthError`; nothing in practice.
  public func seeds(weights: URL) throws -> [FuzzSeed] {
    switch self {
    case .jpeg:
      return try [
        FuzzSeed(Self.image.encoded(as: .jpeg())),
        FuzzSeed(Self.image.encoded(as: .jpeg(quality: 20, chroma: .full))),
        FuzzSeed(Self.describedImage.encoded(as: .jpeg())),
      ]
    case .png:
      var signed = Self.image
      signed.metadata.software = "depth 0.1.0"
      return try [
        FuzzSeed(Self.image.encoded(as: .png)),
        FuzzSeed(Self.describedImage.encoded(as: .png, compression: .small)),
        FuzzSeed(signed.encoded(as: .png)),
        FuzzSeed(Self.map.encoded(as: .png)),
      ]
    case .heif: return HEIFSeed.all
    case .webp: return WebPSeed.all
    case .exif:
      return [
        FuzzSeed(ExifSeed.block(isBigEndian: true)), FuzzSeed(ExifSeed.block(isBigEndian: false)),
      ]
    case .depthFile: return try depthFiles()
    case .depthPhoto: return try depthPhotos()
    case .xmp: return try packets()
    case .frames, .rawFrames: return try frameStreams()
    case .weights, .weightsReader:
      // The checksum of the rest is made right; what it lacks is found behind that.
      let start = Array(try Data(contentsOf: weights).prefix(1 << 14))
      let written: [FuzzSeed]
      #if HDF5
        written = try HDF5Seed.weights(hasChunks: self == .weights)
      #else
        written = []
      #endif
      return written + [FuzzSeed(start, isWhole: false)]
    case .publishedWeights: return PublishedSeed.all
    case .labelledSet:
      #if HDF5
        return try HDF5Seed.labelledSets()
      #else
        return []
      #endif
    case .dataSets: return dataSets()
    case .http: return requests()
    case .chunks: return chunkedBodies()
    case .calibration: return calibrations()
    case .texts: return texts()
    case .libraryCalls: return try libraryCalls()
    }
  }

  /// A photo of a few pixels.
  static let image = Image(
    height: 16, width: 24, pixels: (0..<16 * 24 * 3).map { UInt8(($0 * 5) & 255) })

  /// Its depth.
  static let map = DepthMap(
    height: 8, width: 12, unit: .metres, values: (0..<96).map { Float($0 % 12) * 0.25 })

  /// The photo with an Exif block and a color profile.
  static let describedImage: Image = {
    var metadata = image.metadata
    metadata.exif = ExifSeed.block(isBigEndian: true)
    var profile = [UInt8](repeating: 0, count: 132)
    profile.replaceSubrange(16..<20, with: "RGB ".utf8)
    metadata.iccProfile = profile
    return Image(
      height: image.height, width: image.width, pixels: image.pixels, metadata: metadata)
  }()
}
