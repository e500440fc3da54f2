import DepthBase
import DepthErrors
import DepthImages

/// A depth map as a surface in front of a pinhole camera: rays, disparities, and connections between neighbors.
///
/// Disparity `d = 1 / metres` is linear on a plane. For a ray `(u, v, 1)` through the pixel and a plane `n · P = c`,
/// `d = n · (u, v, 1) / c`.
struct DepthSurface: Sendable {
  let height, width: Int
  /// 1 / metres of each pixel; 0 for no vertex.
  let disparity: [Float]
  /// The bits ``connectsRight`` and ``connectsDown`` of each pixel.
  let connections: [UInt8]
  /// The reach of edges in pixels; see ``EdgeReach``.
  let reach: Int
  /// `u` and `v` of a ray per pixel of the map.
  let rayStepX, rayStepY: Float

  static let connectsRight: UInt8 = 1
  static let connectsDown: UInt8 = 2

  /// Rows per chunk of a parallel loop.
  static let grain = 16

  /// - Throws: Errors of ``DepthMap/normals(camera:threads:)``; `DepthError` if an option is out of range.
  init(_ depth: DepthMap, camera: Camera, options: GeometryOptions, threads: Int) throws {
    try options.check()
    try depth.checkAspect(
      ofHeight: camera.height, width: camera.width, within: DepthMap.aspectTolerance)
    let (sideX, sideY) = (Double(camera.width), Double(camera.height))
    let diagonal = (sideX * sideX + sideY * sideY).squareRoot()
    try (camera.focalLength / diagonal).checked(
      in: 0.001...1000, "the focal length over the photo's diagonal", "0.001 to 1000")
    (height, width) = (depth.height, depth.width)
    // The camera belongs to the photo, and the map covers the same view.
    rayStepX = Float(Double(camera.width) / Double(width) / camera.focalLength)
    rayStepY = Float(Double(camera.height) / Double(height) / camera.focalLength)
    var disparity = Self.disparity(of: depth, threads: threads)
    guard disparity.contains(where: { $0 > 0 }) else {
      throw DepthError.noDepthInSpace
    }
    let threshold = options.edgeThreshold ?? .infinity
    var connections = Self.connections(
      disparity, height: height, width: width, threshold: threshold, threads: threads)
    var reach = 0
    if let threshold = options.edgeThreshold {
      reach = EdgeReach(height: height, width: width, threshold: threshold)
        .measured(in: disparity)
    }
    if reach > 0 {
      let band = EdgeBand(
        connections, disparity, height: height, width: width, reach: reach, threads: threads)
      disparity = EdgeSnapping(
        height: height, width: width, reach: reach, drops: options.dropsFlyingPixels
      ).snapped(disparity, band: band, threads: threads)
    }
    if options.fillsHoles {
      disparity = HoleFilling.filled(disparity, height: height, width: width)
    }
    if reach > 0 || options.fillsHoles {
      connections = Self.connections(
        disparity, height: height, width: width, threshold: threshold, threads: threads)
    }
    (self.disparity, self.connections, self.reach) = (disparity, connections, reach)
  }

  private static func disparity(of depth: DepthMap, threads: Int) -> [Float] {
    let (width, isMetres) = (depth.width, depth.unit == .metres)
    let depths = DepthMap.depthsInSpace
    let range = 1 / depths.upperBound...1 / depths.lowerBound
    return filledRows(height: depth.height, width: width, grain: grain, threads: threads) {
      rows, out in
      let values = depth.values.span.extracting(rows.lowerBound * width..<rows.upperBound * width)
      for i in 0..<out.count {
        let value = isMetres ? 1 / values[i] : values[i]
        out[i] = range.contains(value) ? value : 0
      }
    }
  }

  /// The connections of pixels to their right and lower neighbors on the same surface.
  private static func connections(
    _ disparity: [Float], height: Int, width: Int, threshold: Float, threads: Int
  ) -> [UInt8] {
    filledRows(height: height, width: width, grain: grain, threads: threads) { rows, out in
      let d = disparity.span
      /// Returns whether pixel `i` and the next pixel in a direction are on one surface.
      func connects(_ i: Int, step: Int, place: Int, side: Int) -> Bool {
        let (p, q) = (d[i], d[i + step])
        guard p > 0, q > 0 else { return false }
        let limit = threshold * max(p, q)
        if abs(p - q) <= limit { return true }
        // On a plane of any slope, both outer neighbors continue the line.
        guard place > 0, place + 2 < side else { return false }
        let (before, after) = (d[i - step], d[i + 2 * step])
        return before > 0 && after > 0 && abs(2 * p - before - q) <= limit
          && abs(2 * q - after - p) <= limit
      }
      out.forEachRow(rows, width: width) { y, row in
        for x in 0..<width {
          let i = y * width + x
          var bits: UInt8 = 0
          if x + 1 < width, connects(i, step: 1, place: x, side: width) { bits |= connectsRight }
          if y + 1 < height, connects(i, step: width, place: y, side: height) {
            bits |= connectsDown
          }
          row[x] = bits
        }
      }
    }
  }
}
