package import DepthImages

extension DepthCalibration {
  /// A pixel of the photo with a known distance along the optical axis.
  ///
  /// ```swift
  /// let lamp = DepthCalibration.KnownPoint(x: 80, y: 400, metres: 1.1)
  /// ```
  public struct KnownPoint: Sendable, Hashable {
    /// Column and row, from 0.
    public var x, y: Int
    /// The measured depth, metres along the optical axis.
    public var metres: Double

    /// Creates a point from a pixel and its depth in metres.
    public init(x: Int, y: Int, metres: Double) {
      (self.x, self.y, self.metres) = (x, y, metres)
    }
  }

  /// A known point with the map's value at the point, before and after calibration.
  ///
  /// ```swift
  /// for residual in calibration.residuals { print(residual.point, residual.error) }
  /// ```
  public struct Residual: Sendable, Hashable {
    /// The measured point.
    public var point: KnownPoint
    /// The map at the point before calibration: metres, or relative disparity.
    public var predicted: Double
    /// The depth at the point after calibration, metres.
    public var calibrated: Double
    /// The unit of ``predicted``: `.metres` or `.relativeDisparity`.
    package var mapUnit: DepthMap.Unit = .metres
    /// Whether the fit excludes the point as an outlier, because the point is far from the line
    /// through the other points.
    public var isLeftOut = false

    init(point: KnownPoint, predicted: Double, calibrated: Double) {
      (self.point, self.predicted, self.calibrated) = (point, predicted, calibrated)
    }

    /// Calibrated depth − measured depth, metres; positive if the calibrated depth is too large.
    public var error: Double { calibrated - point.metres }
  }
}
