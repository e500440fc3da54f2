/// The joint filter's settings for maps with sharp edges.
///
/// One row was chosen for maps of the package's network, which has 240 × 192 values, and holds for maps of about this size. All other
/// sizes have the row that was chosen for maps of 160 × 128 values.
struct SharpMapSettings: Sendable {
  /// Sides of the reduced photo, in units of the map's sides.
  let enlargement: Float
  /// Spatial sigma, pixels of the map.
  let sigma: Float
  /// Amount of unsharp masking.
  let sharpening: Float
  /// Distance within which the levels of an edge lie, pixels of the reduced photo.
  let levelReach: Int

  /// - Parameters:
  ///   - height: Rows of the map.
  ///   - width: Columns of the map.
  init(height: Int, width: Int) {
    let isMedium = Self.mediumSides.contains(max(height, width))
    (enlargement, sigma) = isMedium ? (1.5, 1.1) : (2, 0.83)
    (sharpening, levelReach) = isMedium ? (0.5, 2) : (0.8, 1)
  }

  /// Longer sides of maps that are about as large as those of the package's network, which have 240 × 192 values.
  private static let mediumSides = 161...320

  /// Rows or columns of the reduced photo, for those of the map.
  func enlarged(_ side: Int) -> Int { Int(Float(side) * enlargement) }

  /// The spatial sigma for a map of this sharpness, which grows up to ``JointFilter/softSigma``.
  func sigma(sharpness: Float) -> Float {
    sigma + (JointFilter.softSigma - sigma) * (1 - sharpness)
  }
}
