import DepthImages

/// The true depth of a clip's frames, at the size of the maps that are measured.
struct ClipTruth: Sendable {
  let camera: MapCamera
  /// Metres, one map for each frame.
  let depths: [DepthMap]
  let poses: [Pose]
  /// Frames that show another scene than the frame before.
  let cuts: Set<Int>

  /// - Precondition: one pose for each map, all of the camera's size.
  init(camera: MapCamera, depths: [DepthMap], poses: [Pose], cuts: Set<Int>) {
    precondition(depths.count == poses.count, "\(poses.count) poses, expected \(depths.count)")
    (self.camera, self.depths, self.poses, self.cuts) = (camera, depths, poses, cuts)
  }

  /// The pixel of the frame before that shows what a pixel shows; `nil` where it was hidden or outside.
  func previousPixel(_ frame: Int, y: Int, x: Int) -> Int? {
    let depth = depths[frame].values[y * camera.width + x]
    guard depths[frame].hasValue(depth) else { return nil }
    let point = poses[frame - 1].inCamera(
      poses[frame].inRoom(camera.point(y: y, x: x, depth: Double(depth))))
    guard let pixel = camera.pixel(of: point) else { return nil }
    let before = Double(depths[frame - 1].values[pixel])
    return abs(point.z - before) < 0.02 * before ? pixel : nil
  }

  /// Whether each pixel lies on a plane: along rows and columns its disparity is linear.
  func flatPixels(_ frame: Int) -> [Bool] {
    let (height, width) = (camera.height, camera.width)
    let disparity = depths[frame].values.map { 1 / $0 }
    /// Largest share of disparity by which a plane's samples, in whole millimetres, bend.
    let tolerance: Float = 0.004
    var flat = [Bool](repeating: false, count: height * width)
    for y in 2..<max(height - 2, 2) {
      for x in 2..<max(width - 2, 2) {
        let at = y * width + x
        flat[at] = [1, 2].allSatisfy { step in
          [step, step * width].allSatisfy { offset in
            let bend = disparity[at - offset] + disparity[at + offset] - 2 * disparity[at]
            return abs(bend) < tolerance * disparity[at]
          }
        }
      }
    }
    return flat
  }
}
