import DepthErrors
public import DepthImages
import SystemEssentials

/// A lens for `lensBlur(depth:focus:lens:threads:)`: the amount of blur, and the shape of the aperture.
///
/// A point at distance `Z` metres, seen through a thin lens of diameter `A` metres focused at `Zf`, becomes a disc on the
/// sensor. The radius `r` of this circle of confusion, in pixels, follows from the photo's focal length `F` in pixels,
/// which is the distance from lens to sensor:
///
/// ```
/// r = F · A / 2 · |1/Z − 1/Zf|
/// ```
///
/// Similar triangles behind the lens give the diameter `A · |v' − v| / v'`, where `v` and `v'` are the image distances of `Zf`
/// and `Z`. With `1/f = 1/Z + 1/v'` this is `A · v · |1/Z − 1/Zf|`, and `v` in pixels is `F`. The diameter of an aperture f/N
/// is the lens's focal length divided by `N`.
///
/// ```swift
/// let lens = Lens(fNumber: 1.8, blades: 7)
/// let portrait = try photo.lensBlur(depth: depth, focus: .metres(1.2), lens: lens)
/// ```
public struct Lens: Sendable, Hashable, Codable {
  /// The amount of blur.
  public var amount: Amount
  /// Number of aperture blades, 3…16, for polygonal discs of light; 0 for round discs.
  public var blades: Int
  /// Rotation of the polygon, degrees counterclockwise.
  public var rotation: Double

  /// The amount of blur, in one of two forms.
  ///
  /// ```swift
  /// if case .radius(let share) = lens.amount { print(share * Double(photo.width), "pixels") }
  /// ```
  public enum Amount: Sendable, Hashable, Codable {
    /// The aperture of a real lens. Its focal length is in millimetres; `nil` uses the 35 mm equivalent of the photo's camera.
    case aperture(
      fNumber: Double, focalLength: Double? = nil, camera: Camera.FocalLength = .photo)
    /// The largest radius, as a fraction of the photo's width.
    case radius(Double)
  }

  /// The default radius of the largest disc, as a fraction of the photo's width.
  public static let defaultRadius = 0.01
  /// Accepted radii of the largest disc, as fractions of the photo's width.
  package static let radii = 0...0.1
  /// Accepted numbers of blades, in addition to 0.
  package static let bladeCounts = 3...16
  /// Accepted rotations, degrees.
  package static let rotations = -360.0...360
  package static let fNumbers = 0.1...100

  package init(_ amount: Amount, blades: Int = 0, rotation: Double = 0) {
    (self.amount, self.blades, self.rotation) = (amount, blades, rotation)
  }

  /// Creates a lens for a map of any unit.
  ///
  /// - Parameters:
  ///   - radius: The radius of the largest disc, as a fraction of the photo's width, 0…0.1; `0.01` is 1 %. The point whose
  ///     disparity differs most from the focus has this radius. Other radii are proportional to the disparity difference.
  ///   - blades: Number of aperture blades, 3…16, or 0 for round discs.
  ///   - rotation: Rotation of the polygon, degrees counterclockwise.
  ///
  /// The blur call checks the numbers and throws `DepthError` with code `invalidArgument`.
  public init(radius: Double = defaultRadius, blades: Int = 0, rotation: Double = 0) {
    self.init(.radius(radius), blades: blades, rotation: rotation)
  }

  /// Creates a real lens, for maps in metres or disparity.
  ///
  /// The lens is in front of a 36 × 24 mm sensor, for which the focal length equals its 35 mm equivalent. The photo's diagonal
  /// corresponds to the sensor's diagonal of 43.27 mm at any proportions.
  ///
  /// - Parameters:
  ///   - fNumber: The lens's focal length divided by the diameter of the aperture, 0.1…100.
  ///   - focalLength: The lens's focal length in millimetres, 1…10 000; by default the 35 mm equivalent of the photo's camera.
  ///   - camera: The focal length of the photo's camera; by default from the Exif block.
  ///   - blades: Number of aperture blades, 3…16, or 0 for round discs.
  ///   - rotation: Rotation of the polygon, degrees counterclockwise.
  ///
  /// The blur call checks the numbers and throws `DepthError` with code `invalidArgument`.
  public init(
    fNumber: Double, focalLength: Double? = nil, camera: Camera.FocalLength = .photo,
    blades: Int = 0, rotation: Double = 0
  ) {
    self.init(
      .aperture(fNumber: fNumber, focalLength: focalLength, camera: camera), blades: blades,
      rotation: rotation)
  }
}

extension Lens {
  /// The same lens for the photo resized to another width.
  package func resized(from width: Int, to newWidth: Int) -> Lens {
    guard case .aperture(let fNumber, let focalLength, let camera) = amount else { return self }
    var lens = self
    lens.amount = .aperture(
      fNumber: fNumber, focalLength: focalLength,
      camera: camera.resized(from: width, to: newWidth))
    return lens
  }

  /// Pixels of radius per unit of disparity.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - disparity: The disparity of the photo's map.
  ///   - focus: Disparity of the focus.
  ///   - limit: The limit that reduces discs larger than ``radii``; `nil` to throw an error.
  /// - Throws: `DepthError` for a number out of range, for a real lens with a map without a unit, and for discs larger than
  ///   ``radii``.
  func pixelsPerDisparity(
    of photo: Image, _ disparity: Disparity, focus: Double, limit: LensLimit? = nil
  ) throws -> Double {
    guard blades == 0 || Self.bladeCounts.contains(blades) else {
      throw DepthError.invalidArgument(
        name: "the number of blades", found: "\(blades)",
        expected: "0 for a round aperture, or 3 to 16")
    }
    try rotation.checked(in: Self.rotations, "the rotation", "-360 to 360 degrees")
    let farthest = max(abs(disparity.near - focus), abs(disparity.far - focus))
    switch amount {
    case .radius(let share):
      try share.checked(in: Self.radii, "the blur's radius", "0 to 0.1 of the width")
      return disparity.isConstant || farthest == 0 ? 0 : share * Double(photo.width) / farthest
    case .aperture(let fNumber, let focalLength, let cameraLength):
      try fNumber.checked(in: Self.fNumbers, "the f-number", "0.1 to 100")
      try focalLength?.checked(in: 1...10_000, "the lens's focal length", "1 to 10000 mm")
      try disparity.unit.requireMetric(for: "a real lens")
      let camera = try Camera(of: photo, focalLength: cameraLength)
      let diameter = (focalLength ?? camera.equivalentFocalLength) / 1000 / fNumber
      let result = camera.focalLength * diameter / 2
      let share = result * farthest / Double(photo.width)
      guard share <= Self.radii.upperBound else {
        if let limit {
          limit.reach()
          return result
        }
        throw DepthError(
          .invalidArgument,
          "the lens blurs a point over \((share * 100).rounded(toDigits: 1)) % of the width, expected at most "
            + "10 %: use a smaller aperture, or focus nearer to the scene's depth")
      }
      return result
    }
  }
}
