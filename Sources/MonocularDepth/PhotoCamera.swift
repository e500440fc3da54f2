public import DepthImages
import DepthNetworks
import SystemEssentials

/// The assumed camera of a photo, and the source of its focal length.
///
/// A network is trained on photos by one camera. Twice that focal length doubles the size of everything in the photo, and a
/// network that judges distance by size alone then estimates half the depth. Estimated depth is therefore multiplied by a
/// power of the photo's focal length divided by the training camera's. The weights contain the exponent. 1 is the whole
/// correction; smaller exponents are for networks that depend less on size.
///
/// ```swift
/// let camera = PhotoCamera(of: photo)
/// print(camera.camera.focalLength, camera.source)  // pixels, exif
/// ```
///
/// > Source: W. Yin et al. "Metric3D." ICCV 2023. [arXiv:2307.10984](https://arxiv.org/abs/2307.10984),
/// > section 3.2, the canonical camera by transforming labels.
public struct PhotoCamera: Sendable, Hashable {
  /// The source of the focal length.
  ///
  /// ```swift
  /// if PhotoCamera(of: photo).source == .assumed { print("no Exif: metres are a guess") }
  /// ```
  public enum Source: String, Sendable, Hashable, CaseIterable {
    /// The photo's Exif block.
    case exif
    /// The caller.
    case given
    /// No source: the training camera is assumed, and depth is not corrected.
    case assumed
    /// The network, from the photo itself.
    case estimated
  }

  /// Size and focal length.
  public internal(set) var camera: Camera
  /// The source of the focal length.
  public internal(set) var source: Source
  /// Whether the Exif block's focal length is more exact than whole millimetres.
  package let isExact: Bool
  /// The training camera, relative to which depths are corrected.
  let training: TrainingCamera

  /// Determines the camera of a photo, for networks trained on photos of the Kinect.
  ///
  /// - Parameters:
  ///   - photo: An upright photo that was not cropped.
  ///   - camera: The photo's camera. With `nil`, the camera in the Exif block, or otherwise the training camera.
  public init(of photo: Image, camera: Camera? = nil) {
    self.init(of: photo, camera: camera, training: .kinect)
  }

  /// - Parameter training: The training camera, relative to which depths are corrected.
  /// - Throws: `DepthError` for an implausible focal length, or for a missing Exif focal length that was requested.
  package init(
    of photo: Image, _ choice: DepthOptions.CameraChoice, training: TrainingCamera
  ) throws {
    switch choice {
    // An Exif focal length counts as Exif even if requested explicitly.
    case .automatic,
      .focalLength(.photo) where photo.metadata.focalLengthIn35mmFilm != nil:
      self.init(of: photo, training: training)
    case .given(let camera): self.init(of: photo, camera: camera, training: training)
    case .focalLength(let length):
      let camera = try Camera(of: photo, focalLength: length)
      self.init(of: photo, camera: camera, training: training)
    case .uncorrected: self.init(assuming: training, for: photo)
    }
  }

  private init(assuming training: TrainingCamera, for photo: Image) {
    camera = training.camera(width: photo.width, height: photo.height)
    (self.training, source, isExact) = (training, .assumed, false)
  }

  /// - Parameter training: The training camera, which is the default and relative to which depths are corrected.
  package init(of photo: Image, camera: Camera? = nil, training: TrainingCamera) {
    self.training = training
    if let camera {
      (self.camera, source) = (camera, .given)
    } else if let camera = try? Camera(of: photo) {
      (self.camera, source) = (camera, .exif)
    } else {
      (self.camera, source) = (
        training.camera(width: photo.width, height: photo.height), .assumed
      )
    }
    isExact = source == .exif && photo.metadata.focalLengthIsExact
  }

  /// The exponent of the ratio of focal lengths in ``depthFactor``: 1, or the exponent in the weights.
  package var focalExponent: Double { training.focalExponent }

  /// The factor that corrects a network's depths for the focal length: a power of the ratio of the focal length to the training
  /// camera's. The weights contain the exponent.
  ///
  /// Exif's `FocalLengthIn35mmFilm` is inexact. The field has whole millimetres, and some makers measure the width instead of
  /// the diagonal, which differs by 4 % for a 4:3 frame. A ratio from this field is therefore moved toward 1 by 4 %, and
  /// smaller differences become 1. Photos of 27, 28 and 29 mm have the same depth, since the Kinect has 28 mm. The ratio is not
  /// moved for a focal length from the caller, or for an exact one from the lens's focal length and the sensor's size or
  /// resolution (`ImageMetadata.focalLengthIsExact`).
  public var depthFactor: Float {
    switch source {
    case .assumed, .estimated: return 1
    case .given: return Float(exp(focalExponent * logRatio))
    case .exif where isExact: return Float(exp(focalExponent * logRatio))
    case .exif:
      let known = max(0, abs(logRatio) - Self.exifTolerance)
      return Float(exp(focalExponent * (logRatio < 0 ? -known : known)))
    }
  }

  /// Whether the focal length equals the training camera's within 4 %; `nil` if it is unknown.
  package var isTrainingCamera: Bool? {
    source == .assumed ? nil : abs(logRatio) <= Self.exifTolerance
  }

  /// Natural logarithm of the focal length divided by the training camera's.
  private var logRatio: Double {
    let training = training.camera(width: camera.width, height: camera.height)
    return log(camera.relativeFocalLength / training.relativeFocalLength)
  }

  /// Tolerance of the natural logarithm of a ratio of focal lengths.
  static let exifTolerance = 0.04
}

extension Camera {
  /// The training camera of this package's weights, for pictures of the given size: the Kinect's color camera in NYU Depth v2.
  /// Its focal length is 519 pixels for 640 × 480, an angle of view of 63° along the width.
  package static func training(width: Int, height: Int) -> Camera {
    kinect(width: width, height: height)
  }
}

/// The camera of a network's training photos.
package struct TrainingCamera: Sendable, Hashable {
  /// Focal length divided by the longer side; `nil` for the first Kinect's color camera of NYU Depth v2.
  let sides: Double?
  /// The exponent of the ratio of focal lengths in the correction of depth.
  package let focalExponent: Double

  /// The first Kinect's color camera, with the whole correction.
  package static let kinect = TrainingCamera(sides: nil, focalExponent: 1)

  init(sides: Double?, focalExponent: Double) {
    (self.sides, self.focalExponent) = (sides, focalExponent)
  }

  init(_ configuration: DepthNetwork.Configuration) {
    switch configuration {
    case .fcrn(let configuration):
      self.init(sides: nil, focalExponent: configuration.focalExponent)
    case .depthAnything(let configuration):
      self.init(sides: configuration.trainingFocalLength, focalExponent: 1)
    case .zipDepth: self.init(sides: nil, focalExponent: 1)
    // Points are already in the frame of the photo's own camera.
    case .moGe2: self.init(sides: nil, focalExponent: 0)
    }
  }

  /// The camera for a photo of any size.
  package func camera(width: Int, height: Int) -> Camera {
    guard let sides else { return .training(width: width, height: height) }
    return Camera(width: width, height: height, focalLength: sides * Double(max(width, height)))
  }
}
