import DepthErrors

/// The shape of a mask around one depth, and its scaling to the photo's size.
///
/// Let `d` be normalized disparity (0 at the farthest and 1 at the nearest point of the map), `f` the focus, `s` the slope and
/// `w` the width. The mask is the smaller of two lines, each clamped to 0…1:
///
/// ```
/// filterWidth = 2 / s + w
/// left  =  s · d − s · (f − filterWidth / 2)
/// right = −s · d + s · (f + filterWidth / 2)
/// mask  = min(clamp(left), clamp(right))
/// ```
///
/// The mask is therefore 1 where `|d − f| ≤ w / 2`, 0 where `|d − f| ≥ w / 2 + 1 / s`, and linear in between.
///
/// ```swift
/// let soft = FocusMask(slope: 2, width: 0.2)
/// let gray = try photo.colorHighlight(depth: depth, focus: .normalized(0.75), shape: soft)
/// ```
///
/// > Source: O. L. Brown. “Image Depth Maps Tutorial for iOS: Getting Started.” raywenderlich.com, 2018,
/// > `createMask(for:withFocus:)`.
public struct FocusMask: Sendable, Hashable, Codable {
  /// Slope of both sides, per unit of normalized disparity.
  public var slope: Double
  /// Width of the part where the mask is 1, in normalized disparity.
  public var width: Double
  /// The method for a map smaller than the photo.
  public var scaling: Scaling

  /// The methods that scale a mask from the map's size to the photo's.
  ///
  /// ```swift
  /// let shape = FocusMask(scaling: .bicubic)
  /// ```
  public enum Scaling: String, Sendable, Hashable, Codable, CaseIterable {
    /// The map is joint-upsampled, and the mask is computed at the photo's size.
    case joint
    /// The mask is computed at the map's size and scaled by cubic interpolation, as in O. L. Brown's tutorial.
    case bicubic
  }

  package static let slopes = 0.01...10_000
  package static let widths = 0.0...10

  /// Creates a shape. Calls that use the mask throw `DepthError` unless `slope` is 0.01…10 000 and `width` is 0…10.
  public init(slope: Double = 4, width: Double = 0.1, scaling: Scaling = .joint) {
    (self.slope, self.width, self.scaling) = (slope, width, scaling)
  }

  /// Half the distance between the zeros of the two lines, times the slope. The mask is `height − slope · |d − f|`, clamped to
  /// 0…1.
  var height: Double { slope * (2 / slope + width) / 2 }

  /// - Throws: `DepthError` with code `invalidArgument`.
  func check() throws {
    try slope.checked(in: Self.slopes, "the mask's slope", "0.01 to 10000")
    try width.checked(in: Self.widths, "the mask's width", "0 to 10")
  }
}
