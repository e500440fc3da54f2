/// The method that refines a depth map to its photo's resolution and edges.
///
/// ```swift
/// let stretched = try depth.refined(guidedBy: photo, method: .none)
/// let filtered = try depth.refined(guidedBy: photo, method: .joint(JointFilter()))
/// ```
public enum RefinementMethod: Sendable, Hashable {
  /// Linear interpolation; the photo is not used.
  case none
  /// Linear interpolation, then a joint bilateral filter at full size.
  case bilateral(BilateralFilter)
  /// Joint filtering near the map's own size, then joint upsampling, both only near edges of the map.
  case joint(JointFilter)

  /// The names of the methods on a command line.
  package enum Name: String, Codable, Sendable, CaseIterable {
    /// ``RefinementMethod/none``.
    case none
    /// ``RefinementMethod/bilateral(_:)``.
    case bilateral
    /// ``BilateralFilter/gaussian(radius:sigma:)``, a baseline for comparisons.
    case gaussian
    /// ``RefinementMethod/joint(_:)``.
    case joint
  }

  /// Creates the method of a name with its default parameters.
  ///
  /// - Parameters:
  ///   - name: The name of the method.
  ///   - detail: ``JointFilter/detail``; ignored for other methods.
  package init(_ name: Name, detail: Float = JointFilter.defaultDetail) {
    switch name {
    case .none: self = .none
    case .bilateral: self = .bilateral(BilateralFilter())
    case .gaussian: self = .bilateral(.gaussian())
    case .joint: self = .joint(JointFilter(detail: detail))
    }
  }

  /// The name of the method.
  package var name: Name {
    switch self {
    case .none: .none
    case .bilateral(let filter): filter.comparesColors ? .bilateral : .gaussian
    case .joint: .joint
    }
  }
}

/// The joint bilateral filter of P. Matthes's article on postprocessing FCRN depth maps.
///
/// The map is stretched linearly to the photo's size. Each pixel then becomes the mean of its 25 × 25 window. The weight is
/// a normal density of the distance (σ 20 pixels), times a normal density of the color difference (σ 0.05 on encoded RGB in
/// 0…1). Three properties differ from the article's listing:
///
/// * **Depth is not an 8-bit image.** The article stretches the map to 0…1, inverts it and stores it in 256 steps, 2 cm each
///   for a room of five metres. A weighted mean is the same before and after stretching, so this filter keeps the map's unit
///   and full precision. `DepthMap.normalized(near:over:)` with `.white` and `.metres` reproduces the article's picture.
/// * **Colors are compared as encoded in the file.** Core Image converts colors to its working space, by default linear light
///   with the primaries of sRGB. In linear light, the same σ is narrower in bright parts of the photo and wider in dark parts.
/// * **The window is cropped to the image.** The article's sampler returns transparent black beyond the border. At the border
///   of dark photos, these samples have full weight and depth 0, the farthest, so depths there are wrong by up to metres. This
///   filter does not reproduce that error.
///
/// ```swift
/// let wide = RefinementMethod.bilateral(BilateralFilter(radius: 24, sigmaSpatial: 40))
/// ```
public struct BilateralFilter: Sendable, Hashable {
  /// Radius of the window, pixels of the photo. The article's `SAMPLE_SIZE` is `2·radius + 1`.
  public var radius: Int
  /// Sigma of the distance, pixels of the photo. The article calls it `sigmaR`.
  public var sigmaSpatial: Float
  /// Sigma of the color difference, colors in 0…1. The article calls it `sigmaS`.
  public var sigmaRange: Float

  /// Creates a filter. Filtering throws `DepthError` unless `radius` is 0…1000 and the sigmas are 0.0001…10 000.
  public init(radius: Int = 12, sigmaSpatial: Float = 20, sigmaRange: Float = 0.05) {
    (self.radius, self.sigmaSpatial, self.sigmaRange) = (radius, sigmaSpatial, sigmaRange)
  }

  /// Whether colors are compared. Otherwise the filter is a Gaussian blur, and `sigmaRange` has no effect.
  private(set) var comparesColors = true

  /// A Gaussian blur at the photo's size, which also blurs edges.
  package static func gaussian(radius: Int = 12, sigma: Float = 20) -> BilateralFilter {
    var filter = BilateralFilter(radius: radius, sigmaSpatial: sigma)
    filter.comparesColors = false
    return filter
  }
}
