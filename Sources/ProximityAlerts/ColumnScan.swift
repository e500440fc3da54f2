public import DepthImages
import SystemEssentials

/// The nearest point in each column of a map, as a planar scan with the fields of ROS's `sensor_msgs/LaserScan`.
///
/// Angles are 0 at the picture's middle and increase counterclockwise as seen from above, so the first range belongs to
/// the picture's right edge. A range is the distance from the camera in the horizontal plane, not along the optical
/// axis.
///
/// > Source: ROS `sensor_msgs/LaserScan`; `depthimage_to_laserscan`, which defines angles and ranges in the same way.
///
/// ```swift
/// let scan = ColumnScan(depth, camera: PhotoCamera(of: photo).camera, rows: 0.4...0.6)
/// print(scan.ranges.compactMap { $0 }.min() ?? 0)
/// ```
public struct ColumnScan: Sendable, Hashable {
  /// The angle of the first range, the angle of the last range, and the step from one range to the next, in radians.
  public let angleMin, angleMax, angleIncrement: Double
  /// One range per column of the map, in metres; `nil` if no pixel of the column in the scanned rows has a depth.
  public let ranges: [Double?]

  /// The scan of a map.
  ///
  /// - Parameters:
  ///   - depth: A map in metres that covers the camera's whole picture.
  ///   - camera: The picture's camera.
  ///   - rows: The rows to scan, as shares of the picture's height, 0…1 from the top. Pixels of other rows are ignored.
  public init(_ depth: DepthMap, camera: Camera, rows: ClosedRange<Double>) {
    let rows = rows.clamped(to: 0...1)
    let focal = camera.focalLength * Double(depth.width) / Double(camera.width)
    let middle = Double(depth.width) / 2
    let edge = atan((middle - 0.5) / focal)
    let count = depth.width
    angleMin = -edge
    angleMax = edge
    angleIncrement = count > 1 ? 2 * edge / Double(count - 1) : 0
    let first = min(Int(rows.lowerBound * Double(depth.height)), depth.height - 1)
    let last = max(first + 1, Int((rows.upperBound * Double(depth.height)).rounded(.up)))
    let nearest = (0..<count).map { x in
      (first..<min(last, depth.height)).map { depth.values[$0 * count + x] }
        .filter(depth.hasValue).min()
    }
    let (start, step) = (angleMin, angleIncrement)
    ranges = (0..<count).map { index in
      // Finds the column of the map in this direction. Positive angles are left of the center.
      let angle = start + Double(index) * step
      let column = (middle - focal * tan(angle)).rounded(.down)
      let metres = nearest[min(max(Int(column), 0), count - 1)]
      return metres.map { Double($0) / cos(angle) }
    }
  }
}
