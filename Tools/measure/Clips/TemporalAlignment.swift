import DepthImages

/// Temporal alignment error of two successive maps.
///
/// Each map is carried into the other's camera by the true poses; the error is the mean of both mean relative
/// differences, over the pixels that anything was carried to. Where several points meet, the nearest counts.
///
/// > Source: S. Chen et al. "Video Depth Anything." CVPR 2025.
/// > [arXiv:2501.12375](https://arxiv.org/abs/2501.12375), equation 5.
func temporalAlignmentError(
  _ first: DepthMap, _ firstPose: Pose, _ second: DepthMap, _ secondPose: Pose, camera: MapCamera
) -> Double? {
  guard let there = projectionError(first, firstPose, onto: second, secondPose, camera),
    let back = projectionError(second, secondPose, onto: first, firstPose, camera)
  else { return nil }
  return (there + back) / 2
}

/// Mean of abs(carried − own) / own over the pixels that something was carried to.
private func projectionError(
  _ source: DepthMap, _ sourcePose: Pose, onto target: DepthMap, _ targetPose: Pose,
  _ camera: MapCamera
) -> Double? {
  var carried = [Double](repeating: .infinity, count: target.values.count)
  for y in 0..<source.height {
    for x in 0..<source.width {
      let depth = source.values[y * source.width + x]
      guard source.hasValue(depth) else { continue }
      let point = targetPose.inCamera(
        sourcePose.inRoom(camera.point(y: y, x: x, depth: Double(depth))))
      guard let pixel = camera.pixel(of: point) else { continue }
      carried[pixel] = min(carried[pixel], point.z)
    }
  }
  var (sum, count) = (0.0, 0)
  for (index, depth) in carried.enumerated()
  where depth.isFinite && target.hasValue(target.values[index]) {
    let own = Double(target.values[index])
    sum += abs(depth - own) / own
    count += 1
  }
  return count > 0 ? sum / Double(count) : nil
}
