package import DepthImages
import SystemEssentials

/// The camera of a geometry as JSON, by which the geometry's points are projected into the photo.
///
/// A point `(x, y, z)` appears at `(cx − fx · x / z, cy + fy · y / z)`, in pixels from the photo's upper left
/// corner. The first pixel's center is at ½.
package struct CameraFile: Encodable, Sendable {
  private let width, height: Int
  private let fx, fy, cx, cy, fieldOfViewDegrees: Double
  private let focalLengthSource: String
  private let unit = "metre"
  private let axes = "x right, y up, the camera at the origin looks along -z"

  /// - Parameter source: A word for the source of the focal length.
  package init(_ camera: Camera, source: String) {
    (width, height) = (camera.width, camera.height)
    (fx, fy) = (camera.focalLength, camera.focalLength)
    (cx, cy) = (Double(camera.width) / 2, Double(camera.height) / 2)
    fieldOfViewDegrees = camera.fieldOfView
    focalLengthSource = source
  }

  /// The suffix of the file's name, after the geometry's.
  package static let ending = "_camera.json"

  /// The bytes of the file.
  package func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
  }
}
