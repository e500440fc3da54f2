/// The place of a camera in its room.
///
/// Axes: x to the right of the picture, y down, z along the optical axis.
struct Pose: Sendable, Equatable {
  /// Camera coordinates to the room's, metres: the upper three rows of the 4 × 4 matrix, by rows.
  let rows: [Double]

  /// - Precondition: twelve numbers.
  init(rows: [Double]) {
    precondition(rows.count == 12, "\(rows.count) numbers, expected 12")
    self.rows = rows
  }

  /// A point of the camera's frame in the room's.
  func inRoom(_ p: (x: Double, y: Double, z: Double)) -> (x: Double, y: Double, z: Double) {
    func row(_ i: Int) -> Double {
      rows[4 * i] * p.x + rows[4 * i + 1] * p.y + rows[4 * i + 2] * p.z + rows[4 * i + 3]
    }
    return (row(0), row(1), row(2))
  }

  /// A point of the room's frame in the camera's; the inverse of a rotation is its transpose.
  func inCamera(_ p: (x: Double, y: Double, z: Double)) -> (x: Double, y: Double, z: Double) {
    let (x, y, z) = (p.x - rows[3], p.y - rows[7], p.z - rows[11])
    func column(_ i: Int) -> Double { rows[i] * x + rows[4 + i] * y + rows[8 + i] * z }
    return (column(0), column(1), column(2))
  }
}

/// A pinhole camera whose pixels need not be square, as those of a network's map are not.
struct MapCamera: Sendable, Equatable {
  let height, width: Int
  /// Focal lengths in columns and in rows of the map.
  let acrossFocal, downFocal: Double

  /// - Parameters:
  ///   - focalLength: Pixels of a photo of `photoWidth` × `photoHeight`.
  ///   - height: Rows of the map that covers the whole photo.
  init(
    focalLength: Double, photoWidth: Int, photoHeight: Int, height: Int, width: Int
  ) {
    (self.height, self.width) = (height, width)
    acrossFocal = focalLength * Double(width) / Double(photoWidth)
    downFocal = focalLength * Double(height) / Double(photoHeight)
  }

  /// The point that a pixel's center sees at a depth, metres.
  func point(y: Int, x: Int, depth: Double) -> (x: Double, y: Double, z: Double) {
    (
      (Double(x) + 0.5 - Double(width) / 2) / acrossFocal * depth,
      (Double(y) + 0.5 - Double(height) / 2) / downFocal * depth, depth
    )
  }

  /// The pixel that shows a point; `nil` outside the picture and behind the camera.
  func pixel(of p: (x: Double, y: Double, z: Double)) -> Int? {
    guard p.z > 1e-6 else { return nil }
    let x = (p.x / p.z * acrossFocal + Double(width) / 2).rounded(.down)
    let y = (p.y / p.z * downFocal + Double(height) / 2).rounded(.down)
    guard x >= 0, y >= 0, x < Double(width), y < Double(height) else { return nil }
    return Int(y) * width + Int(x)
  }
}
