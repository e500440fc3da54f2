public import DepthImages
import SystemEssentials

/// The camera that an estimate assumes for a photo, and where it is known from.
///
/// A network learns the size of things from photos of one camera. A photo with twice that camera's focal
/// length shows everything at twice the size, so the network places it at half the distance. Its depth
/// is therefore multiplied by the ratio of the focal lengths.
///
/// ```swift
/// let camera = PhotoCamera(of: photo)
/// print(camera.camera.focalLength, camera.source)  // pixels, exif
/// ```
///
/// > Source: W. Yin et al. "Metric3D." ICCV 2023. [arXiv:2307.10984](https://arxiv.org/abs/2307.10984),
/// > section 3.2, the canonical camera by transforming labels.
public struct PhotoCamera: Sendable, Hashable {
  /// Where the focal length comes from.
  ///
  /// ```swift
  /// if PhotoCamera(of: photo).source == .assumed { print("no Exif: metres are a guess") }
  /// ```
  public enum Source: String, Sendable, Hashable, CaseIterable {
    /// The photo's Exif block.
    case exif
    /// The caller.
    case given
    /// Nothing is known; the training camera is assumed and depth is not corrected.
    case assumed
  }

  /// Size and focal length.
  public let camera: Camera
  /// Where the focal length comes from.
  public let source: Source
  /// Whether the Exif block's focal length is better than one in whole millimetres.
  let isExact: Bool
  /// The camera that depths are corrected from.
  let training: TrainingCamera

  /// - Parameters:
  ///   - photo: An upright photo that was not cropped.
  ///   - camera: Its camera; `nil` takes what its Exif block says, or else the training camera.
  public init(of photo: Image, camera: Camera? = nil) {
    self.init(of: photo, camera: camera, training: .kinect)
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

  /// The factor for depths that a network estimated as if the photo came from its training camera.
  ///
  /// `FocalLengthIn35mmFilm` of Exif holds whole millimetres, and some makers measure along the width instead of the
  /// diagonal, which makes 4 % of a 4:3 frame. So much is not corrected, and larger ratios are brought nearer to 1 by
  /// it: photos of 27, 28 and 29 mm have one depth. A focal length that the caller gives, or that Exif gives through
  /// the sensor's resolution (`ImageMetadata.focalLengthIsExact`), counts in full.
  public var depthFactor: Float {
    let training = training.camera(width: camera.width, height: camera.height)
    let ratio = log(camera.relativeFocalLength / training.relativeFocalLength)
    switch source {
    case .assumed: return 1
    case .given: return Float(exp(ratio))
    case .exif where isExact: return Float(exp(ratio))
    case .exif:
      let known = max(0, abs(ratio) - Self.exifTolerance)
      return Float(exp(ratio < 0 ? -known : known))
    }
  }

  /// Natural logarithm of a ratio of focal lengths.
  private static let exifTolerance = 0.04
}

extension Camera {
  /// The camera of the weights in this package, for pictures of any size: the color camera of the first
  /// Kinect in NYU Depth v2, 519 pixels for 640 × 480, 63° wide.
  ///
  /// > Source: N. Silberman et al. "Indoor Segmentation and Support Inference from RGBD Images." ECCV
  /// > 2012, toolbox, `camera_params.m`: 518.86 across, 519.47 down.
  public static func training(width: Int, height: Int) -> Camera {
    let scale = (Double(width) * Double(height) / (640 * 480)).squareRoot()
    return Camera(width: width, height: height, focalLength: 519.16 * scale)
  }
}
