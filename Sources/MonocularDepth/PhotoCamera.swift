public import DepthImages
import DepthNetworks
import SystemEssentials

/// The camera that an estimate assumes for a photo, and the source of its focal length.
///
/// A network is trained on photos of one camera. A photo with twice that camera's focal length shows everything at
/// twice the size, so a network that judges distance by size alone estimates half the distance. The estimated depth is
/// therefore multiplied by a power of the photo's focal length divided by the training camera's. The weights contain the
/// exponent: 1 is the whole correction; less is for networks whose distances depend less on size.
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
    /// Neither of them gives it; the training camera is assumed and depth is not corrected.
    case assumed
    /// The network, from the photo itself.
    case estimated
  }

  /// Size and focal length.
  public internal(set) var camera: Camera
  /// The source of the focal length.
  public internal(set) var source: Source
  /// Whether the Exif block's focal length is better than one in whole millimetres.
  package let isExact: Bool
  /// The camera that depths are corrected from.
  let training: TrainingCamera

  /// The camera of a photo, for networks that learned metres from photos of the Kinect.
  ///
  /// - Parameters:
  ///   - photo: An upright photo that was not cropped.
  ///   - camera: The photo's camera; `nil` takes it from the Exif block, or without one assumes the training camera.
  public init(of photo: Image, camera: Camera? = nil) {
    self.init(of: photo, camera: camera, training: .kinect)
  }

  /// - Parameter training: The camera that depths are corrected from.
  /// - Throws: `DepthError` for a focal length that no lens has, and for Exif's where the photo has none.
  package init(
    of photo: Image, _ choice: DepthOptions.CameraChoice, training: TrainingCamera
  ) throws {
    switch choice {
    // An Exif block counts as such, not as an option.
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

  /// - Parameter training: The camera that depths are corrected from, and that is assumed where nothing is known.
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

  /// The exponent of the ratio of focal lengths in ``depthFactor``: a property of the weights, 1 without weights.
  package var focalExponent: Double { training.focalExponent }

  /// The factor by which a network's depths are multiplied to correct the focal length: the camera's focal length divided by that of
  /// the training camera, to a power that the weights contain.
  ///
  /// Exif's `FocalLengthIn35mmFilm` is inexact: it is in whole millimetres, and some makers measure along the width
  /// instead of the diagonal, a difference of 4 % for a 4:3 frame. A ratio from this field is therefore moved toward 1
  /// by 4 %, and becomes 1 if it differs by less. The Kinect has 28 mm, so photos of 27, 28 and 29 mm get the same
  /// depth. The ratio, before the power, is not moved if the caller gives the focal length, or if Exif gives it exactly, by the lens's
  /// focal length and the sensor's size or resolution (`ImageMetadata.focalLengthIsExact`).
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

  /// Whether the focal length is the training camera's, within 4 %; `nil` if it is not known.
  package var isTrainingCamera: Bool? {
    source == .assumed ? nil : abs(logRatio) <= Self.exifTolerance
  }

  /// Natural logarithm of the focal length divided by the training camera's.
  private var logRatio: Double {
    let training = training.camera(width: camera.width, height: camera.height)
    return log(camera.relativeFocalLength / training.relativeFocalLength)
  }

  /// Natural logarithm of a ratio of focal lengths.
  static let exifTolerance = 0.04
}

extension Camera {
  /// The camera that the weights in this package were trained with, for pictures of the given size: the color camera of
  /// the Kinect in NYU Depth v2. Its focal length is 519 pixels for 640 × 480, an angle of view of 63° along the width.
  package static func training(width: Int, height: Int) -> Camera {
    kinect(width: width, height: height)
  }
}

/// The camera whose photos a network learned metres from.
package struct TrainingCamera: Sendable, Hashable {
  /// Focal length in units of the longer side; `nil` for the first Kinect's color camera, of NYU Depth v2.
  let sides: Double?
  /// The power of the ratio of focal lengths that depths are multiplied by.
  package let focalExponent: Double

  /// The first Kinect's color camera, and the whole correction.
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
    // Its points are those of the photo's own camera.
    case .moGe2: self.init(sides: nil, focalExponent: 0)
    }
  }

  /// The camera for a photo of any size.
  package func camera(width: Int, height: Int) -> Camera {
    guard let sides else { return .training(width: width, height: height) }
    return Camera(width: width, height: height, focalLength: sides * Double(max(width, height)))
  }
}
