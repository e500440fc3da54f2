package import DepthErrors
package import DepthImages

extension DepthError {
  package static var noPoints: DepthError {
    DepthError(.invalidArgument, "no known point, expected at least one")
  }

  /// The error for a distance below a millimetre, above a thousand kilometres, or not a number.
  package static func invalidDistance(x: Int, y: Int, metres: Double) -> DepthError {
    invalidArgument(
      name: "the distance at \(x),\(y)", found: "\(metres) m", expected: "0.001 to 1000000")
  }

  /// The error for a point outside the photo.
  package static func outsidePhoto(x: Int, y: Int, width: Int, height: Int) -> DepthError {
    DepthError(
      .invalidArgument,
      "point \(x),\(y) is outside the photo, expected 0,0 to \(width - 1),\(height - 1)")
  }

  /// The error for several distances of one pixel.
  static func repeatedPoint(_ points: [DepthCalibration.KnownPoint]) -> DepthError {
    DepthError(
      .contradiction,
      "the pixel \(points[0].x),\(points[0].y) is given \(points.count) times, with "
        + points.map { "\($0.metres) m" }.joined(separator: " and ")
        + ", expected one distance for each pixel")
  }

  /// The error for a point where the map has no value.
  package static func noValue(x: Int, y: Int) -> DepthError {
    DepthError(.noDepth, "the depth map has no value at \(x),\(y)")
  }

  /// The error for points with a single depth in the map, which cannot determine both scale and shift.
  ///
  /// - Parameter metres: The depth; `nil` for a map without metres.
  package static func sameDepth(metres: Double?) -> DepthError {
    DepthError(
      .contradiction,
      metres.map {
        "all points are \($0.rounded(toDigits: 3)) m away in the map, expected points at different depths, or one point"
      } ?? "the map has one disparity at all points, expected different ones")
  }

  /// The error for a single point, which cannot determine the shift of relative disparity.
  package static var onePoint: DepthError {
    DepthError(
      .invalidArgument,
      "one known point, expected two or more at different depths: relative disparity has an unknown shift beside its scale"
    )
  }

  /// The error for a sparse map with too few values.
  package static func noSparsePoints(found: Int) -> DepthError {
    DepthError(
      .noDepth,
      "the sparse map has \(found) pixels with a value from 0.001 to 1000000 m where the photo's map has one, expected two or more"
    )
  }

  /// The error for a relative map with a metric calibration, or the reverse.
  package static func otherMaps(expected: DepthMap.Unit, found: DepthMap.Unit) -> DepthError {
    func name(_ unit: DepthMap.Unit) -> String {
      unit == .relativeDisparity ? "relative disparity" : "metres"
    }
    return DepthError(
      .unknownUnit,
      "the calibration corrects maps of \(name(expected)), found one of \(name(found)): "
        + "calibrate again with these weights")
  }

  /// The error for distances in the reverse order of the map's depths, or a line that puts a point behind the camera.
  package static func contradiction(scale: Double, shift: Double) -> DepthError {
    DepthError(
      .contradiction,
      "the measured distances contradict the map, expected larger distances for points that are "
        + "farther in the map; check each point's pixel and its metres (the line through them has scale \(scale), "
        + "shift \(shift) 1/m)")
  }

  /// The error for a correction after which no pixel has a depth.
  package static func nothingLeft(scale: Double, shift: Double) -> DepthError {
    DepthError(
      .noDepth,
      "the calibration (scale \(scale), shift \(shift) 1/m) puts every pixel of the map beyond "
        + "infinity, expected one made with this camera and these weights")
  }

  /// The error for outputs that are all 0, infinite or NaN, which trained weights never return.
  package static func noDepth(weights: String) -> DepthError {
    DepthError(
      .noDepth, file: weights,
      "the network gives no valid depth for this photo, expected positive numbers")
  }
}
