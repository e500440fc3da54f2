package import DepthImages
import DepthRefinement

extension MapSettings {
  /// Longest side of an estimated map that views are made of: the warp stretches it over the photo.
  private static let longestSideForViews = 1024

  /// Rows and columns of the map that views of a photo are made of.
  private static func sizeForViews(height: Int, width: Int) -> (height: Int, width: Int) {
    let scale = min(1, Double(longestSideForViews) / Double(max(height, width)))
    return (
      max(Int((Double(height) * scale).rounded()), 1),
      max(Int((Double(width) * scale).rounded()), 1)
    )
  }

  /// Sets the size for the views of a photo.
  package mutating func fitForViews(of photo: Image) {
    let size = Self.sizeForViews(height: photo.height, width: photo.width)
    resolution = .size(height: size.height, width: size.width)
  }
}
