package import DepthBase
import DepthErrors
public import DepthImages
import DepthRefinement
import SystemEssentials

extension DepthMap {
  /// The map aligned to known distances at some of its pixels, such as from a laser or from structure from motion.
  ///
  /// First, scale and shift of 1/Z are fitted to the points, as in `DepthCalibration(sparse:depth:refinement:)`. Then the map
  /// is multiplied by a smooth field of factors that moves it to the points. The field may jump at edges of the photo and the
  /// map, and is 1 far from all points. The map's own detail is preserved.
  ///
  /// ```swift
  /// let room = try depth.aligned(to: laser, guidedBy: photo)
  /// ```
  ///
  /// - Parameters:
  ///   - sparse: A map in metres or disparity without a value at most pixels. It has any size and covers the whole photo. At
  ///     most 100 000 of its pixels are used, evenly spread.
  ///   - photo: The photo of both maps.
  ///   - noise: The standard deviation of the known distances, as a share of each distance; 0.0001…1. The result differs from
  ///     the points by about this share.
  /// - Returns: A map in metres. Pixels without a value stay without a value.
  /// - Throws: `DepthError`: code `unknownUnit` if `sparse` is not in metres or disparity or if this map is normalized; code
  ///   `noDepth` if fewer than two pixels have a value in both maps; another code for points that contradict the map.
  public func aligned(
    to sparse: DepthMap, guidedBy photo: Image, noise: Double = 0.01
  ) throws -> DepthMap {
    try aligned(
      to: sparse, guidedBy: photo, noise: noise, call: CallContext(threads: 1)
    ).map
  }

  /// Aligns the map, and returns the calibration by scale and shift alone; see ``aligned(to:guidedBy:noise:)``.
  ///
  /// - Throws: Errors of ``aligned(to:guidedBy:noise:)``, and `CancellationError`.
  package func aligned(
    to sparse: DepthMap, guidedBy photo: Image, noise: Double, call: CallContext
  ) throws -> (map: DepthMap, calibration: DepthCalibration) {
    try noise.checked(in: Self.noises, "the noise of the known distances", "0.0001 to 1")
    let calibration = try DepthCalibration(sparse: sparse, depth: self, refinement: .none)
    let fitted = try fitted(by: calibration, to: sparse.inMetres())
    try call.checkpoint(0.2)
    let points = try SparsePoints(sparse, in: fitted)
    let samples = points.metres.indices.map { index in
      CorrectionField.Sample(
        row: points.rows[index], column: points.columns[index],
        value: log(points.metres[index] / points.predicted[index]))
    }
    let (rows, columns) = CorrectionField.size(
      photo: (photo.height, photo.width), samples: samples.count)
    let cells = (0..<rows * columns).map { cell in
      fitted.interpolated(cell / columns, of: rows, cell % columns, of: columns).map(log) ?? .nan
    }
    let guide = areaAveraged(photo, height: rows, width: columns, threads: call.threads)
    let field = try CorrectionField(samples, depth: cells, guide: guide, sigma: noise) {
      try call.cancellation?.check()
    }
    try call.checkpoint(0.9)
    var values = fitted.values
    field.multiply(&values, height: height, width: width, threads: call.threads)
    return (DepthMap(height: height, width: width, unit: .metres, values: values), calibration)
  }

  /// The map in metres, limited to twice the farthest known distance. A negative shift would move farther points to infinity,
  /// where no factor could move the points back.
  private func fitted(by calibration: DepthCalibration, to known: DepthMap) throws -> DepthMap {
    let map = unit == .relativeDisparity ? self : try inDisparity()
    let farthest = known.values.lazy.map(Double.init).filter(DepthCalibration.distances.contains)
    let least = 0.5 / (farthest.max() ?? DepthCalibration.distances.upperBound)
    return DepthMap(
      height: height, width: width, unit: .metres,
      values: map.values.map { value in
        guard map.hasValue(value) else { return 0 }
        return Float(1 / max(calibration.scale * Double(value) + calibration.shift, least))
      })
  }

  /// Standard deviations of known distances, as shares of the distances.
  package static let noises = 1e-4...1
  /// The default noise.
  package static let usualNoise = 0.01
}
