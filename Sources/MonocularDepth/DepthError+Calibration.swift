package import DepthErrors
package import DepthImages

extension DepthError {
  package static var noPoints: DepthError {
    DepthError(.invalidArgument, "no known point, expected at least one")
  }

  /// A distance below a millimetre, above a thousand kilometres, or not a number.
  package static func invalidDistance(x: Int, y: Int, metres: Double) -> DepthError {
    invalidArgument(
      name: "the distance at \(x),\(y)", found: "\(metres) m", expected: "0.001 to 1000000")
  }

  /// A point beside the photo.
  package static func outsidePhoto(x: Int, y: Int, width: Int, height: Int) -> DepthError {
    DepthError(
      .invalidArgument,
      "point \(x),\(y) is outside the photo, expected 0,0 to \(width - 1),\(height - 1)")
  }

  /// Several distances of one pixel.
  static func repeatedPoint(_ points: [DepthCalibration.KnownPoint]) -> DepthError {
    DepthError(
      .contradiction,
      "the pixel \(points[0].x),\(points[0].y) is given \(points.count) times, with "
        + points.map { "\($0.metres) m" }.joined(separator: " and ")
        + ", expected one distance for each pixel")
  }

  /// The map has no value at the point.
  package static func noValue(x: Int, y: Int) -> DepthError {
    DepthError(.noDepth, "the depth map has no value at \(x),\(y)")
  }

  /// The map gives all points one depth, from which scale and shift cannot both follow.
  ///
  /// - Parameter metres: `nil` for a map without metres.
  package static func sameDepth(metres: Double?) -> DepthError {
    DepthError(
      .contradiction,
      metres.map {
        "all points are \($0.rounded(toDigits: 3)) m away in the map, expected points at different depths, or one point"
      } ?? "the map has one disparity at all points, expected different ones")
  }

  /// One point leaves the shift of relative disparity open.
  package static var onePoint: DepthError {
    DepthError(
      .invalidArgument,
      "one known point, expected two or more at different depths: relative disparity has an unknown shift beside its scale"
    )
  }

  /// A sparse map has too few pixels with a value.
  package static func noSparsePoints(found: Int) -> DepthError {
    DepthError(
      .noDepth,
      "the sparse map has \(found) pixels with a value from 0.001 to 1000000 m where the photo's map has one, expected two or more"
    )
  }

  /// The map is not of the kind that a calibration was fitted to.
  package static func otherMaps(expected: DepthMap.Unit, found: DepthMap.Unit) -> DepthError {
    func name(_ unit: DepthMap.Unit) -> String {
      unit == .relativeDisparity ? "relative disparity" : "metres"
    }
    return DepthError(
      .unknownUnit,
      "the calibration corrects maps of \(name(expected)), found one of \(name(found)): "
        + "calibrate again with these weights")
  }

  /// A point that is nearer in the map was measured farther, or the fitted line puts a point behind the camera.
  package static func contradiction(scale: Double, shift: Double) -> DepthError {
    DepthError(
      .contradiction,
      "the measured distances contradict the map, expected points that look farther in the map to be measured "
        + "farther; check each point's pixel and its metres (the line through them has scale \(scale), "
        + "shift \(shift) 1/m)")
  }

  /// The correction leaves no pixel of a map a depth.
  package static func nothingLeft(scale: Double, shift: Double) -> DepthError {
    DepthError(
      .noDepth,
      "the calibration (scale \(scale), shift \(shift) 1/m) puts every pixel of the map beyond "
        + "infinity, expected one made with this camera and these weights")
  }

  /// Every output was 0, infinite or NaN, which trained weights never give.
  package static func noDepth(weights: String) -> DepthError {
    DepthError(
      .noDepth, file: weights,
      "the network gives no valid depth for this photo, expected positive numbers")
  }
}
