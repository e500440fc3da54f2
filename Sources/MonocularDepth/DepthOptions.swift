public import DepthImages
public import DepthRefinement

/// How a photo's depth is estimated and finished. The defaults are those of the program.
///
/// ```swift
/// var options = DepthOptions()
/// options.camera = .focalLength(.equivalent35mm(26))
/// options.minConfidence = 0.8  // pixels that the network is less sure of have no depth
/// let depth = try estimator.depth(of: photo, options: options)
/// ```
public struct DepthOptions: Sendable, Hashable {
  /// The source of the focal length, by which estimated metres are scaled.
  ///
  /// ```swift
  /// let phone = DepthOptions(camera: .focalLength(.equivalent35mm(26)))
  /// ```
  public enum CameraChoice: Sendable, Hashable {
    /// The photo's Exif block; without one, the camera of the networks' training.
    case automatic
    /// A camera whose pictures have the photo's field of view, in any number of pixels.
    case given(Camera)
    /// A focal length; `.photo` requires one in the photo's Exif block.
    case focalLength(Camera.FocalLength)
    /// The camera of the networks' training: depth is not corrected for the focal length.
    case uncorrected
  }

  /// The photo's camera.
  public var camera: CameraChoice
  /// The filter that gives the network's map the photo's edges.
  public var refinement: RefinementMethod
  /// The size of the finished map.
  public var resolution: OutputResolution
  /// Whether pixels without a value get one from nearby pixels.
  public var fillsMissing: Bool
  /// The correction of the camera's maps, applied after refinement.
  public var calibration: DepthCalibration?
  /// The least confidence of a pixel that keeps its depth, 0…1; `nil` keeps all. Needs weights that predict errors, such as `default`.
  public var minConfidence: Float?
  /// The largest photo and map, and the memory that a call may take.
  public var limits: ImageLimits
  /// Whether relative disparity becomes metres, where the estimator has a yardstick.
  package var relativeDepth = RelativeDepth.metres(isBounded: true)

  /// The unit of maps of relative weights by an estimator with a yardstick.
  package enum RelativeDepth: Sendable, Hashable {
    /// Metres of the fit, within the yardstick's range if the metres are to be read. Disparities of views need no bounds.
    case metres(isBounded: Bool)
    /// As the network gives it: enough for pictures, and for less time.
    case relative
  }

  /// The depth of pixels that a network says have none, such as the sky.
  package var background = Background.missing

  package enum Background: Sendable, Hashable {
    /// No value.
    case missing
    /// The farthest depth of the map.
    case farthest
    /// A distance without parallax.
    case infinite
  }

  /// The program's defaults, but for the given properties.
  public init(
    camera: CameraChoice = .automatic, refinement: RefinementMethod = .joint(JointFilter()),
    resolution: OutputResolution = .automatic, fillsMissing: Bool = false,
    calibration: DepthCalibration? = nil, minConfidence: Float? = nil,
    limits: ImageLimits = ImageLimits()
  ) {
    (self.camera, self.refinement, self.resolution) = (camera, refinement, resolution)
    (self.fillsMissing, self.calibration) = (fillsMissing, calibration)
    (self.minConfidence, self.limits) = (minConfidence, limits)
  }

  /// Values of ``minConfidence``.
  package static let confidences: ClosedRange<Float> = 0...1

  /// The network's own map, at its own size.
  public static let unrefined = DepthOptions(refinement: .none)
}

extension DepthOptions.CameraChoice {
  /// The focal length that was given; `nil` without one.
  package var givenFocalLength: Camera.FocalLength? {
    guard case .focalLength(let length) = self else { return nil }
    return length
  }
}
