/// The surface normal of each pixel, in the camera's frame: x right, y down, z forward.
///
/// A normal has the length 1 and points towards the camera, so that z is negative for what faces it. A pixel without depth has
/// the normal 0.
///
/// ```swift
/// var weights = WeightsSelection.named("moge-2-small")
/// weights.givesNormals = true
/// let normals = try DepthEstimator(weights).estimate(of: photo).normals
/// ```
public struct NormalMap: Sendable, Hashable {
  /// Rows and columns.
  public let height, width: Int
  /// `height·width·3` values: x, y, z of pixel `(row, column)` from `3·(row·width + column)`.
  public let values: [Float]

  /// - Precondition: `values.count == 3·height·width`.
  init(height: Int, width: Int, values: [Float]) {
    precondition(
      values.count == 3 * height * width,
      "\(values.count) values for a \(width)×\(height) map, expected \(3 * height * width)")
    (self.height, self.width, self.values) = (height, width, values)
  }
}
