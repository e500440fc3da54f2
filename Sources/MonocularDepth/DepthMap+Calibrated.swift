import DepthErrors
public import DepthImages

extension DepthMap {
  /// The corrected map: `Z = 1 / (scale / Ẑ + shift)`, or for relative disparity `Z = 1 / (scale · d + shift)`.
  ///
  /// A pixel has no value if a negative shift makes its 1/Z zero or negative.
  ///
  /// - Returns: A map in metres.
  /// - Throws: `DepthError`: code `noDepth` if this map has values but the result has none; code `unknownUnit` for a
  ///   normalized map, or if only one of map and calibration is for relative disparity.
  public func calibrated(by calibration: DepthCalibration) throws -> DepthMap {
    try calibration.check(unit)
    let isRelative = unit == .relativeDisparity
    let source = isRelative ? self : try inMetres()
    let (scale, shift) = (calibration.scale, calibration.shift)
    let result = DepthMap(
      height: height, width: width, unit: .metres,
      values: source.values.map { value in
        guard source.hasValue(value) else { return 0 }
        let disparity =
          isRelative ? scale * Double(value) + shift : scale / Double(value) + shift
        let depth = Float(1 / disparity)
        return disparity > 0 && depth.isFinite ? depth : 0
      })
    guard result.values.contains(where: result.hasValue) || !values.contains(where: hasValue) else {
      throw DepthError.nothingLeft(scale: calibration.scale, shift: calibration.shift)
    }
    return result
  }
}
