/// The surface normal of each pixel, in the camera's frame: x right, y down, z forward.
///
/// A normal has length 1 and points towards the camera, so z is negative for surfaces that face the camera. A pixel without
/// depth has the normal 0.
///
/// ```swift
/// let normals = try depth.normals(camera: PhotoCamera(of: photo).camera)
/// try normals.write(to: url)  // .png, .npy or .exr
/// ```
public struct NormalMap: Sendable, Hashable {
  /// Rows and columns.
  public let height, width: Int
  /// `height·width·3` values: x, y, z of pixel `(row, column)` from `3·(row·width + column)`.
  public let values: [Float]

  /// The axes of the normals in a file.
  ///
  /// ```swift
  /// try normals.write(to: url, frame: .opengl)
  /// ```
  public enum Frame: String, Sendable, Hashable, Codable, CaseIterable {
    /// x right, y down, z forward. Normals towards the camera have a negative z.
    case opencv
    /// x right, y up, z towards the camera.
    case opengl

    /// The axes in a few words.
    package var axes: String {
      self == .opencv ? "x right, y down, z forward" : "x right, y up, z towards the camera"
    }
  }

  /// - Precondition: `values.count == 3·height·width`.
  package init(height: Int, width: Int, values: [Float]) {
    precondition(
      values.count == 3 * height * width,
      "\(values.count) values for a \(width)×\(height) map, expected \(3 * height * width)")
    (self.height, self.width, self.values) = (height, width, values)
  }
}
