#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Why known distances do not calibrate a depth map.
public enum CalibrationError: Error, Equatable, Sendable {
  /// No point at all.
  case noPoints
  /// A distance below a millimetre, above a thousand kilometres, or no number.
  case invalidDistance(x: Int, y: Int, metres: Double)
  /// A point beside the photo.
  case outsidePhoto(x: Int, y: Int, width: Int, height: Int)
  /// The map has no value at the point.
  case noValue(x: Int, y: Int)
  /// The map sees all points at one depth, from which scale and shift cannot both follow.
  case sameDepth(metres: Double)
  /// What the map sees nearer was measured farther, or the line leaves a point behind the camera.
  case contradiction(scale: Double, shift: Double)
  /// The correction leaves no pixel of a map a depth.
  case nothingLeft(scale: Double, shift: Double)
  /// A file that is no calibration.
  case damaged(file: String, reason: String)
}

extension CalibrationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noPoints: "no known point, expected at least one"
    case .invalidDistance(let x, let y, let metres):
      "the distance at \(x),\(y) is \(metres) m, expected 0.001 to 1000000"
    case .outsidePhoto(let x, let y, let width, let height):
      "point \(x),\(y) is outside the photo, expected 0,0 to \(width - 1),\(height - 1)"
    case .noValue(let x, let y): "the depth map has no value at \(x),\(y)"
    case .sameDepth(let metres):
      "the map sees all points \(metres) m away, expected different depths (or one point)"
    case .contradiction(let scale, let shift):
      "the points contradict the map (scale \(scale), shift \(shift) 1/m), "
        + "expected what it sees farther to be farther"
    case .nothingLeft(let scale, let shift):
      "the calibration (scale \(scale), shift \(shift) 1/m) puts every pixel of the map beyond infinity, "
        + "expected one that belongs to this camera and these weights"
    case .damaged(let file, let reason): "\(file): is no calibration: \(reason)"
    }
  }
}

extension CalibrationError: LocalizedError {
  public var errorDescription: String? { description }
}
