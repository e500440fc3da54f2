package import DepthErrors
import SystemEssentials

/// A pinhole camera with square pixels, whose optical axis passes through the picture's center.
///
/// A point at `(X, Y, Z)` metres appears `focalLength · X / Z` pixels right of the center and `focalLength · Y / Z` pixels
/// below the center. `Z` is along the optical axis.
///
/// ```swift
/// let camera = try Camera(of: photo)  // from Exif
/// print(camera.fieldOfView)  // degrees across
/// ```
public struct Camera: Sendable, Hashable {
  /// Width and height of the picture, pixels.
  public let width, height: Int
  /// Focal length, pixels.
  public let focalLength: Double

  /// Creates a pinhole camera with its principal point at the picture's center.
  ///
  /// - Precondition: sides and focal length are positive.
  public init(width: Int, height: Int, focalLength: Double) {
    precondition(
      width > 0 && height > 0 && focalLength > 0,
      "camera is \(width)×\(height) with focal length \(focalLength), expected positive")
    (self.width, self.height, self.focalLength) = (width, height, focalLength)
  }

  /// Angle of view along the longer side, degrees.
  public var fieldOfView: Double {
    2 * atan2(Double(max(width, height)) / 2, focalLength) * 180 / .pi
  }

  /// Focal length divided by the geometric mean of the sides, which resizing preserves even if proportions change.
  package var relativeFocalLength: Double {
    focalLength / (Double(width) * Double(height)).squareRoot()
  }

  /// The matrix K for the resized picture, row by row: focal lengths and principal point, in pixels of the resized picture.
  ///
  /// The center of the top left pixel is (0, 0), as in OpenCV. The optical axis passes through ((width − 1) / 2, (height − 1) /
  /// 2).
  package func matrix(height: Int, width: Int) -> [Double] {
    let (newHeight, newWidth) = (Double(height), Double(width))
    return [
      focalLength * newWidth / Double(self.width), 0, (newWidth - 1) / 2,
      0, focalLength * newHeight / Double(self.height), (newHeight - 1) / 2,
      0, 0, 1,
    ]
  }

  /// A photo's focal length in one of several units, or the focal length in the Exif block.
  ///
  /// ```swift
  /// let phone = try Camera(of: photo, focalLength: .equivalent35mm(26))
  /// let action = try Camera(of: photo, focalLength: .fieldOfView(118))
  /// ```
  public enum FocalLength: Sendable, Hashable, Codable {
    /// Pixels of the photo.
    case pixels(Double)
    /// Millimetres on a 36 × 24 mm frame with the same diagonal, the usual number for phones.
    case equivalent35mm(Double)
    /// Angle of view along the longer side, degrees.
    case fieldOfView(Double)
    /// The focal length in the photo's Exif block.
    case photo

    /// The same focal length for the photo resized to another width.
    package func resized(from width: Int, to newWidth: Int) -> FocalLength {
      guard case .pixels(let length) = self else { return self }
      return .pixels(length * Double(newWidth) / Double(width))
    }
  }
}

extension Camera {
  /// Determines the camera of a photo.
  ///
  /// - Parameters:
  ///   - photo: An upright photo that was not cropped.
  ///   - focalLength: The photo's focal length, by default from its Exif block.
  /// - Throws: `DepthError` with code `invalidArgument` for `.photo` without a focal length in the Exif block, and for a number
  ///   outside 1 to 10 000 mm, 1° to 179°, or 0.02 to 250 times the photo's diagonal in pixels.
  public init(of photo: Image, focalLength: FocalLength = .photo) throws {
    let (width, height) = (photo.width, photo.height)
    switch focalLength {
    case .pixels(let length):
      let diagonal = (Double(width) * Double(width) + Double(height) * Double(height)).squareRoot()
      try (length / diagonal).checked(
        in: 0.02...250, "the focal length over the photo's diagonal", "0.02 to 250")
      self.init(width: width, height: height, focalLength: length)
    case .equivalent35mm(let length):
      try length.checked(in: 1...10_000, "the focal length", "1 to 10000 mm")
      self.init(width: width, height: height, equivalentFocalLength: length)
    case .fieldOfView(let degrees):
      try degrees.checked(in: Self.fieldsOfView, "the field of view", "1 to 179 degrees")
      let halfSide = Double(max(width, height)) / 2
      self.init(
        width: width, height: height, focalLength: halfSide / tan(degrees / 2 * .pi / 180))
    case .photo:
      guard let length = photo.metadata.focalLengthIn35mmFilm, (1...10_000).contains(length) else {
        throw DepthError.focalLengthUnknown
      }
      self.init(width: width, height: height, equivalentFocalLength: length)
    }
  }

  /// - Parameter equivalentFocalLength: Millimetres on a 36 × 24 mm frame with the same diagonal.
  package init(width: Int, height: Int, equivalentFocalLength: Double) {
    let (x, y) = (Double(width), Double(height))
    self.init(
      width: width, height: height,
      focalLength: equivalentFocalLength
        * ((x * x + y * y) / Self.squaredDiagonalOf35mmFilm).squareRoot())
  }

  /// The squared diagonal of a 36 × 24 mm frame, the reference of equivalent focal lengths.
  ///
  /// > Source: CIPA DCG-001, "35mm film equivalent focal length".
  package static let squaredDiagonalOf35mmFilm = 36.0 * 36 + 24 * 24

  /// Millimetres on a 36 × 24 mm frame with the same diagonal.
  package var equivalentFocalLength: Double {
    let squaredDiagonal = Double(width * width + height * height)
    return focalLength * (Self.squaredDiagonalOf35mmFilm / squaredDiagonal).squareRoot()
  }
}

extension Camera {
  /// The color camera of the first Kinect in NYU Depth v2, for pictures of the given size: 519 pixels for 640 × 480.
  ///
  /// > Source: N. Silberman et al. "Indoor Segmentation and Support Inference from RGBD Images." ECCV
  /// > 2012, toolbox, `camera_params.m`: 518.86 across, 519.47 down.
  package static func kinect(width: Int, height: Int) -> Camera {
    let scale = (Double(width) * Double(height) / (640 * 480)).squareRoot()
    return Camera(width: width, height: height, focalLength: 519.16 * scale)
  }

  /// Usual ratios of a photo's focal length to the training camera's focal length. Other ratios are rarely correct.
  package static let usualFactors = 1.0 / 3...3

  /// Accepted angles of view, degrees.
  package static let fieldsOfView = 1.0...179
}

extension DepthError {
  /// The error for a photo without a focal length in its Exif block or from the caller.
  package static var focalLengthUnknown: DepthError {
    DepthError(
      .invalidArgument,
      "the photo's Exif has no focal length; give one, or an angle of view",
      cause: SettingAtFault.focalLength)
  }
}
