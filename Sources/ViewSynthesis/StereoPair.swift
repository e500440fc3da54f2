import DepthBase
public import DepthImages

/// The views of both eyes: a left and a right photo of one size.
///
/// ```swift
/// let pair = try photo.stereoPair(depth: depth, maximumShift: 0.01)
/// try pair.sideBySide().write(to: url)
/// ```
public struct StereoPair: Sendable, Hashable {
  /// The view of each eye. Both views have the photo's size, or are narrower with
  /// ``StereoOptions/FrameEdges/crop``.
  public let left, right: Image
  /// The pixels of each view that the photo does not show, with filled-in colors.
  package let leftHoles, rightHoles: HoleMask

  /// - Precondition: both views and both masks have one size.
  package init(left: Image, right: Image, leftHoles: HoleMask, rightHoles: HoleMask) {
    let size = [left.height, left.width]
    for (height, width) in [
      (right.height, right.width), (leftHoles.height, leftHoles.width),
      (rightHoles.height, rightHoles.width),
    ] {
      precondition(
        [height, width] == size,
        "a part of the pair is \(width)×\(height) pixels, expected \(size[1])×\(size[0])")
    }
    (self.left, self.right) = (left, right)
    (self.leftHoles, self.rightHoles) = (leftHoles, rightHoles)
  }

  /// A pair without holes.
  init(left: Image, right: Image) {
    let none = HoleMask(
      height: left.height, width: left.width,
      values: [UInt8](repeating: 0, count: left.height * left.width))
    self.init(left: left, right: right, leftHoles: none, rightHoles: none)
  }

  /// Creates a flat pair, in which both eyes see the photo itself.
  package init(flat photo: Image) { self.init(left: photo, right: photo) }

  /// Rows of each view.
  public var height: Int { left.height }
  /// Columns of each view.
  public var width: Int { left.width }

  /// The pair with its views exchanged.
  package var swapped: StereoPair {
    StereoPair(left: right, right: left, leftHoles: rightHoles, rightHoles: leftHoles)
  }
}
