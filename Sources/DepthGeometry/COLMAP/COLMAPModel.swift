package import DepthImages

/// Cameras, poses and points of photos, as reconstructed by COLMAP.
///
/// `rotation · X + translation` converts world coordinates to camera coordinates (x right, y down, z forward) in the model's
/// unit.
///
/// > Source: J. L. Schönberger, J.-M. Frahm. “Structure-from-Motion Revisited.” CVPR 2016; COLMAP's documentation, “Output Format”.
package struct COLMAPModel: Sendable, Equatable {
  /// A pinhole camera in pixels, with the center of the first pixel at ½.
  package struct Camera: Sendable, Equatable {
    package var id: Int
    package var width, height: Int
    package var fx, fy, cx, cy: Double
  }

  /// A photo, with its pose and observations.
  package struct Photo: Sendable, Equatable {
    package var id: Int
    /// The quaternion w, x, y, z.
    package var rotation: SIMD4<Double>
    package var translation: SIMD3<Double>
    package var camera: Int
    /// The path below the folder of photos.
    package var name: String
    package var places: [Place]
  }

  /// An observation of a point: a position in a photo, in pixels, and the point's id; -1 for none.
  package struct Place: Sendable, Equatable {
    package var x, y: Double
    package var point: Int
  }

  package struct Point: Sendable, Equatable {
    package var position: SIMD3<Double>
    /// Red, green, blue.
    package var color: SIMD3<UInt8>
    /// Mean reprojection error, pixels.
    package var error: Double
  }

  package var cameras: [Int: Camera] = [:]
  package var photos: [Photo] = []
  package var points: [Int: Point] = [:]

  package init() {}
}

extension COLMAPModel.Camera {
  /// Creates a camera whose optical axis is at the center of its pictures.
  package init(id: Int, _ camera: Camera) {
    (self.id, width, height) = (id, camera.width, camera.height)
    (fx, fy) = (camera.focalLength, camera.focalLength)
    (cx, cy) = (Double(width) / 2, Double(height) / 2)
  }
}

extension COLMAPModel.Photo {
  /// Creates a photo whose camera is at the origin.
  package init(id: Int, name: String, camera: Int) {
    self.init(
      id: id, rotation: SIMD4(1, 0, 0, 0), translation: .zero, camera: camera, name: name,
      places: [])
  }

  /// The rows of the rotation from world to camera.
  package var rows: [SIMD3<Double>] {
    let q = rotation / (rotation * rotation).sum().squareRoot()
    let (w, x, y, z) = (q[0], q[1], q[2], q[3])
    return [
      SIMD3(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
      SIMD3(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
      SIMD3(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    ]
  }

  /// The depth of a point along the optical axis.
  package func depth(of point: COLMAPModel.Point) -> Double {
    (rows[2] * point.position).sum() + translation.z
  }

  /// The 4 × 4 matrix, by rows, from OpenGL camera coordinates (x right, y up, z backwards) to the world.
  package var cameraToWorld: [[Double]] {
    let rows = rows
    let center = -(rows[0] * translation.x + rows[1] * translation.y + rows[2] * translation.z)
    // Avoids negative zeros.
    return (0..<3).map { [rows[0][$0], 0 - rows[1][$0], 0 - rows[2][$0], 0 + center[$0]] }
      + [[0, 0, 0, 1]]
  }
}
