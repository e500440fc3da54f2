import DepthGeometry
import DepthImages
import SceneRendering

/// A rendered room: its photo, its exact depth, and its visible surface.
struct RoomTruth {
  let photo: Image
  let depth: DepthMap
  let camera: Camera
  /// The visible surface at every half pixel.
  let surface: [SIMD3<Float>]
  let grid: PointGrid
  /// Pixels within 3 pixels of an edge of depth.
  let isNearEdge: [Bool]

  /// The distance within which a point counts as on the surface, metres.
  static let tolerance: Float = 0.05

  init(seed: UInt64, width: Int, height: Int, threads: Int) {
    let scene = Scene.randomRoom(seed: seed)
    let camera = scene.camera(width: width, height: height)
    let rendering = Rendering(of: scene, from: camera, threads: threads)
    (photo, depth, self.camera) = (rendering.image, rendering.depth, camera.intrinsics)
    let fine = scene.camera(
      width: 2 * width, height: 2 * height, focalLength: 2 * camera.focalLength)
    surface = Self.points(scene.depth(from: fine, threads: threads), focalLength: fine.focalLength)
    grid = PointGrid(surface, radius: Self.tolerance)
    isNearEdge = Self.nearEdges(rendering.depth, radius: 3)
  }

  /// Every pixel's point, as the export's axes have it.
  private static func points(_ depth: DepthMap, focalLength: Float) -> [SIMD3<Float>] {
    depth.values.enumerated().map { i, z in
      let (y, x) = i.quotientAndRemainder(dividingBy: depth.width)
      let u = (Float(x) + 0.5 - Float(depth.width) / 2) / focalLength
      let v = (Float(y) + 0.5 - Float(depth.height) / 2) / focalLength
      return SIMD3(u * z, -v * z, -z)
    }
  }

  /// Pixels within a disc of a change of disparity by more than 4 % that no plane explains.
  static func nearEdges(_ depth: DepthMap, radius: Int) -> [Bool] {
    let (height, width) = (depth.height, depth.width)
    let d = depth.values.map { 1 / $0 }
    func isEdge(_ i: Int, _ step: Int, _ place: Int, _ side: Int) -> Bool {
      guard place + 1 < side else { return false }
      let (p, q) = (d[i], d[i + step])
      let limit = 0.04 * max(p, q)
      guard abs(p - q) > limit else { return false }
      guard place > 0, place + 2 < side else { return true }
      return abs(2 * p - d[i - step] - q) > limit || abs(2 * q - d[i + 2 * step] - p) > limit
    }
    var near = [Bool](repeating: false, count: d.count)
    func mark(_ i: Int) {
      let (y, x) = i.quotientAndRemainder(dividingBy: width)
      for row in max(y - radius, 0)...min(y + radius, height - 1) {
        for column in max(x - radius, 0)...min(x + radius, width - 1)
        where (row - y) * (row - y) + (column - x) * (column - x) <= radius * radius {
          near[row * width + column] = true
        }
      }
    }
    for i in d.indices {
      let (y, x) = i.quotientAndRemainder(dividingBy: width)
      if isEdge(i, 1, x, width) {
        mark(i)
        mark(i + 1)
      }
      if isEdge(i, width, y, height) {
        mark(i)
        mark(i + width)
      }
    }
    return near
  }
}
