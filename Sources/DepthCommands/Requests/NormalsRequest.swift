import DepthGeometry
import DepthImages
import PictureFiles

/// The storage of normals.
struct NormalsRequest: Request {
  var normalsFrame = NormalMap.Frame.opencv
  /// Whether PNG samples have 16 bits instead of 8.
  var is16Bit = false

  func encoded(
    _ normals: NormalMap, as format: NormalFileFormat, compression: PNGCompression, threads: Int
  ) throws -> [UInt8] {
    try normals.encoded(
      as: format, frame: normalsFrame, is16Bit: is16Bit, software: Version.text,
      compression: compression, threads: threads)
  }
}
