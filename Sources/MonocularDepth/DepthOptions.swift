public import DepthImages
public import DepthRefinement

/// Options for estimating and finishing a photo's depth, with the program's defaults.
///
/// ```swift
/// var options = DepthOptions()
/// options.camera = .focalLength(.equivalent35mm(26))
/// options.minConfidence = 0.8  // pixels that the network is less sure of have no depth
/// let depth = try estimator.depth(of: photo, options: options)
/// ```
public struct DepthOptions: Sendable, Hashable {
  /// The source of the focal length that scales estimated metres.
  ///
  /// ```swift
  /// let phone = DepthOptions(camera: .focalLength(.equivalent35mm(26)))
  /// ```
  public enum CameraChoice: Sendable, Hashable {
    /// The photo's Exif block, or else the training camera.
    case automatic
    /// A camera whose pictures have the photo's field of view, in any number of pixels.
    case given(Camera)
    /// A focal length; `.photo` requires a focal length in the photo's Exif block.
    case focalLength(Camera.FocalLength)
    /// The training camera: depth is not corrected for the focal length.
    case uncorrected
  }

  /// The photo's camera.
  public var camera: CameraChoice
  /// The filter that aligns the network's map with the photo's edges.
  public var refinement: RefinementMethod
  /// The size of the finished map.
  public var resolution: OutputResolution
  /// Whether pixels without a value are filled from nearby pixels.
  public var fillsMissing: Bool
  /// The correction of the camera's maps, applied after refinement.
  public var calibration: DepthCalibration?
  /// The lowest confidence, 0…1, of pixels that keep their depth; `nil` keeps all pixels. Requires weights that predict errors,
  /// such as `default`.
  public var minConfidence: Float?
  /// The largest accepted photo and map, and the memory limit of a call.
  public var limits: ImageLimits
  /// Whether an estimator with a yardstick converts relative disparity to metres.
  package var relativeDepth = RelativeDepth.metres(isBounded: true)

  /// The unit of maps of relative weights, for an estimator with a yardstick.
  package enum RelativeDepth: Sendable, Hashable {
    /// Metres by the fit, within the yardstick's range if `isBounded`. Disparities of views need no bounds.
    case metres(isBounded: Bool)
    /// The network's relative disparity, which is faster and sufficient for pictures.
    case relative
  }

  /// The depth of pixels for which a network predicts no depth, such as the sky.
  package var background = Background.missing

  package enum Background: Sendable, Hashable {
    /// No value.
    case missing
    /// The farthest depth of the map.
    case farthest
    /// A distance without parallax.
    case infinite
  }

  /// Creates options with the program's defaults except for the given properties.
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

  /// Accepted values of ``minConfidence``.
  package static let confidences: ClosedRange<Float> = 0...1

  /// The network's own map, at its own size.
  public static let unrefined = DepthOptions(refinement: .none)
}

extension DepthOptions.CameraChoice {
  /// The focal length from the caller; `nil` if there is none.
  package var givenFocalLength: Camera.FocalLength? {
    guard case .focalLength(let length) = self else { return nil }
    return length
  }
}
